import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXLattice.ARXNode;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * One release by ARX: DATA.csv FOLDER K LIMIT global|local OUTPUT.csv; the folder has NAME.csv for every
 * quasi-identifier. Prints the levels of the optimum, in the order of the columns, and its score.
 */
public class SideBySide {

    public static void main(String[] given) throws Exception {
        Data data = Data.create(given[0], StandardCharsets.UTF_8, ';');
        try (var lines = Files.lines(Path.of(given[0]))) {
            for (String name : lines.findFirst().orElseThrow().split(";")) {
                Path file = Path.of(given[1], name + ".csv");
                if (Files.exists(file)) {
                    Hierarchy hierarchy = Hierarchy.create(file.toString(), StandardCharsets.UTF_8, ';');
                    data.getDefinition().setAttributeType(name, hierarchy);
                } else {
                    data.getDefinition().setAttributeType(name, AttributeType.INSENSITIVE_ATTRIBUTE);
                }
            }
        }
        boolean isLocal = given[4].equals("local");
        Metric<?> metric = isLocal ? Metric.createLossMetric(0d) : Metric.createEntropyMetric(true);
        ARXConfiguration wanted = ARXConfiguration.create(Double.parseDouble(given[3]), metric);
        wanted.addPrivacyModel(new KAnonymity(Integer.parseInt(given[2])));
        ARXResult result = new ARXAnonymizer().anonymize(data, wanted);
        ARXNode optimum = result.getGlobalOptimum();
        DataHandle output = result.getOutput();
        if (isLocal) {
            result.optimizeIterativeFast(output, 0.01d);
        }
        output.save(given[5], ';');
        System.out.println(Arrays.toString(optimum.getTransformation()));
        System.out.println(optimum.getHighestScore());
    }
}
