/*
 * Licensed under the Apache License, Version 2.0, like the rest of kanopy.
 */

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Trains and asks classifiers of Weka on behalf of kanopy: requests on standard input, answers on standard output,
 * one after the other, until the input ends. weka_program.py is the other end.
 *
 * <p>Every request and answer is a length (four bytes) and as many bytes; texts and byte arrays inside are written
 * the same way. Tables come as ARFF in UTF-8 and never touch a disk.
 *
 * <p>Weka is called by reflection only. What Weka 3.6 has as classes (Instance, Classifier), Weka 3.7 and later have
 * as interfaces, so that a program compiled against one does not run with the other. It also means that this file
 * is compiled without Weka, and that nothing of Weka is in it.
 *
 * <p>Built for any Java from 8 on: {@code javac --release 8 -Xlint:-options -g:none WekaDriver.java}.
 */
public final class WekaDriver implements Runnable {
  private static final String GREETING = "kanopy weka 1";
  private static final int MODELS = 8;
  private static final long STACK = 512L << 20; // deep trees are written and read recursively

  private final LinkedBlockingQueue<byte[]> requests = new LinkedBlockingQueue<byte[]>();
  private final LinkedHashMap<String, Object> models = new LinkedHashMap<String, Object>(16, 0.75f, true);
  private final DataOutputStream answers;
  private String trouble = ""; // with what one would fail now: "setting", or nothing in particular

  private WekaDriver(DataOutputStream answers) {
    this.answers = answers;
  }

  public static void main(String[] arguments) throws Exception {
    DataOutputStream answers =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    System.setOut(System.err); // Weka prints here and there
    ByteArrayOutputStream greeting = new ByteArrayOutputStream();
    DataOutputStream words = new DataOutputStream(greeting);
    write(words, GREETING.getBytes(StandardCharsets.UTF_8));
    write(words, version().getBytes(StandardCharsets.UTF_8));
    write(answers, greeting.toByteArray());
    answers.flush();

    WekaDriver driver = new WekaDriver(answers);
    Thread worker = new Thread(null, driver, "weka", STACK);
    worker.setDaemon(true);
    worker.start();
    // Read while the worker works: when who asked is gone, so is the reason to go on.
    DataInputStream input = new DataInputStream(System.in);
    try {
      while (true) {
        driver.requests.put(read(input));
      }
    } catch (EOFException end) {
      Runtime.getRuntime().halt(0);
    } catch (IOException broken) {
      Runtime.getRuntime().halt(0);
    }
  }

  @Override
  public void run() {
    try {
      while (true) {
        write(answers, answer(requests.take()));
        answers.flush();
      }
    } catch (Throwable broken) {
      Runtime.getRuntime().halt(3);
    }
  }

  /** First byte: 0 for an answer, 1 for a failure (with what, its class, what may be told), 2 for an unknown model. */
  private byte[] answer(byte[] request) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    try {
      trouble = "";
      DataInputStream input = new DataInputStream(new ByteArrayInputStream(request));
      int verb = input.readByte();
      if (verb == 'T') {
        output.writeByte(0);
        train(input, output);
      } else if (verb == 'P') {
        String key = text(input);
        byte[] model = read(input);
        if (model.length > 0) {
          keep(key, thawed(model));
        }
        if (models.containsKey(key)) {
          output.writeByte(0);
          predict(models.get(key), input, output);
        } else {
          output.writeByte(2);
        }
      } else {
        throw new IOException();
      }
      return bytes.toByteArray();
    } catch (Throwable failure) {
      Throwable cause = failure;
      while (cause instanceof InvocationTargetException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      bytes.reset();
      output.writeByte(1);
      String name = cause.getClass().getName();
      write(output, trouble.getBytes(StandardCharsets.UTF_8));
      write(output, name.getBytes(StandardCharsets.UTF_8));
      // Messages about settings, and about kinds of columns, hold no cells; of others one cannot know.
      boolean isSafe =
          trouble.equals("setting")
              || name.startsWith("weka.core.Unsupported")
              || name.startsWith("weka.core.NoSupport")
              || name.equals("weka.core.WekaException");
      String message = isSafe && cause.getMessage() != null ? cause.getMessage() : "";
      write(output, message.getBytes(StandardCharsets.UTF_8));
      return bytes.toByteArray();
    }
  }

  /** Scheme, number of options, options, table; answers with the frozen model and how Weka prints it. */
  private void train(DataInputStream input, DataOutputStream output) throws Exception {
    String scheme = text(input);
    String[] options = new String[input.readInt()];
    for (int place = 0; place < options.length; place++) {
      options[place] = text(input);
    }
    trouble = "setting";
    Class<?> kind = Class.forName("weka.classifiers.Classifier");
    Method forName = Class.forName("weka.core.Utils").getMethod("forName", Class.class, String.class, String[].class);
    Object classifier = forName.invoke(null, kind, scheme, options);
    trouble = "";
    Object rows = table(read(input));
    classifier.getClass().getMethod("buildClassifier", rows.getClass()).invoke(classifier, rows);
    ByteArrayOutputStream frozen = new ByteArrayOutputStream();
    ObjectOutputStream freezer = new ObjectOutputStream(frozen);
    freezer.writeObject(classifier);
    freezer.close();
    write(output, frozen.toByteArray());
    write(output, String.valueOf(classifier).getBytes(StandardCharsets.UTF_8));
  }

  /** Table; answers with the numbers of rows and classes, and the shares of the classes, row by row. */
  private void predict(Object classifier, DataInputStream input, DataOutputStream output) throws Exception {
    Object rows = table(read(input));
    Method row = rows.getClass().getMethod("instance", int.class);
    Method shares =
        classifier.getClass().getMethod("distributionForInstance", Class.forName("weka.core.Instance"));
    int nRows = ((Integer) rows.getClass().getMethod("numInstances").invoke(rows)).intValue();
    int nClasses = ((Integer) rows.getClass().getMethod("numClasses").invoke(rows)).intValue();
    output.writeInt(nRows);
    output.writeInt(nClasses);
    for (int place = 0; place < nRows; place++) {
      double[] found = (double[]) shares.invoke(classifier, row.invoke(rows, Integer.valueOf(place)));
      if (found.length != nClasses) {
        throw new IOException();
      }
      for (double share : found) {
        output.writeDouble(share);
      }
    }
  }

  /** The class is the last column. */
  private static Object table(byte[] arff) throws Exception {
    Reader reader = new InputStreamReader(new ByteArrayInputStream(arff), StandardCharsets.UTF_8);
    Class<?> instances = Class.forName("weka.core.Instances");
    Object rows = instances.getConstructor(Reader.class).newInstance(reader);
    int nColumns = ((Integer) instances.getMethod("numAttributes").invoke(rows)).intValue();
    instances.getMethod("setClassIndex", int.class).invoke(rows, Integer.valueOf(nColumns - 1));
    return rows;
  }

  private void keep(String key, Object model) {
    models.put(key, model);
    Iterator<String> oldest = models.keySet().iterator();
    while (models.size() > MODELS) {
      oldest.next();
      oldest.remove();
    }
  }

  private static Object thawed(byte[] model) throws Exception {
    return new ObjectInputStream(new ByteArrayInputStream(model)).readObject();
  }

  private static String version() throws Exception {
    Class<?> version = Class.forName("weka.core.Version");
    return String.valueOf(version.getField("VERSION").get(null));
  }

  private static String text(DataInputStream input) throws IOException {
    return new String(read(input), StandardCharsets.UTF_8);
  }

  private static byte[] read(DataInputStream input) throws IOException {
    byte[] bytes = new byte[input.readInt()];
    input.readFully(bytes);
    return bytes;
  }

  private static void write(DataOutputStream output, byte[] bytes) throws IOException {
    output.writeInt(bytes.length);
    output.write(bytes);
  }
}
