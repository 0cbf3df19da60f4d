"""What the papers on kACTUS published: accuracy by k, the area under it, the share of missing cells.

Facts, copied from the papers:

- Kisilevich, Rokach, Elovici, Shapira, "Efficient Multi-Dimensional Suppression for K-Anonymity" (TKDE
  2010), Table 2;
- Kisilevich, Elovici, Shapira, Rokach, "kACTUS 2: Privacy Preserving in Classification Tasks Using
  k-Anonymity" (LNCS 5661, 2009), Tables 1 and 2.
"""

from __future__ import annotations

from typing import NamedTuple

COMPARED = ("tds", "tdr", "kadet", "kactus", "kactus2")
"""The methods of the second paper, in the order of its tables; kADET has no share of missing cells."""

ACCURACY_KS = (1, 5, 10, 15, 20, 30)


class Spread(NamedTuple):
    """A mean over folds and its standard deviation."""

    mean: float
    deviation: float


# kACTUS, Table 2: data set, learner, accuracy for each of these k.
_ACCURACY = """
crx         c45       85.08±1.58   84.64±3.56   85.42±1.56   85.18±1.44   85.18±1.44   85.51±1.49
crx         part      83.19±3.56   84.73±1.49   85.29±1.57   84.87±1.60   85.18±1.44   85.15±1.47
crx         nb        84.70±2.30   83.12±5.28   85.23±1.70   84.90±1.54   85.26±1.38   85.15±1.47
crx         logistic  81.62±1.62   82.49±5.30   84.72±1.78   84.87±1.60   85.18±1.44   85.15±1.47
pima        c45       75.17±2.49   75.20±2.91   74.26±2.88   74.70±3.09   73.70±3.10   72.40±3.69
pima        part      74.88±1.99   75.42±3.03   74.26±2.90   75.12±2.95   74.41±3.25   72.40±3.69
pima        nb        77.56±2.15   75.69±2.98   75.52±3.37   76.16±2.78   74.92±3.32   74.33±3.55
pima        logistic  78.29±2.06   74.17±4.21   75.25±2.36   75.84±3.18   75.36±3.15   74.56±3.46
glass       c45       67.63±3.18   61.89±3.69   59.47±2.98   58.11±3.75   55.13±4.59   45.42±5.62
glass       part      68.88±4.91   62.31±3.81   60.33±2.72   58.52±3.80   55.62±4.76   46.70±9.65
glass       nb        71.96±3.34   62.49±4.55   60.35±3.58   56.57±6.76   55.46±4.00   46.15±9.26
glass       logistic  69.93±3.16   30.86±15.95  46.75±15.08  49.25±10.54  54.50±7.17   44.60±5.64
ionosphere  c45       89.08±1.99   87.71±2.58   85.99±4.65   85.18±5.33   82.77±4.75   81.82±2.92
ionosphere  part      88.16±2.95   87.16±3.00   85.21±3.93   85.17±4.30   82.34±4.15   80.82±2.28
ionosphere  nb        90.64±2.42   89.00±1.82   86.12±3.50   85.53±3.43   83.65±3.53   81.85±2.82
ionosphere  logistic  87.59±2.67   81.50±5.11   80.04±14.05  82.91±7.23   78.21±7.01   79.79±2.38
nursery     c45       95.84±0.20   93.61±0.40   92.52±0.34   92.13±0.28   91.59±0.30   90.55±0.39
nursery     part      98.10±0.28   94.37±0.26   92.88±0.66   92.53±0.42   91.65±0.66   91.01±0.54
nursery     nb        90.19±0.31   79.35±2.51   77.76±0.48   78.95±2.22   81.22±2.59   82.53±3.02
nursery     logistic  92.43±0.39   50.07±6.88   49.03±8.86   52.59±10.59  58.60±15.09  55.58±11.58
tic_tac_toe c45       81.20±1.56   72.89±2.48   73.16±2.19   70.49±1.52   71.70±1.76   70.30±1.65
tic_tac_toe part      89.24±4.15   74.58±3.22   72.24±3.03   71.49±1.61   71.83±1.86   70.30±1.45
tic_tac_toe nb        70.70±2.49   62.63±3.27   61.94±3.94   64.35±3.71   65.16±3.81   69.39±2.40
tic_tac_toe logistic  97.66±0.66   48.25±10.92  52.94±5.81   63.01±6.27   60.15±7.27   66.06±3.04
vehicle     c45       66.39±2.65   66.01±3.88   63.42±3.41   62.13±3.11   61.11±2.51   57.64±2.73
vehicle     part      68.57±1.41   64.97±3.25   63.26±3.63   62.02±3.32   61.04±2.64   58.48±3.46
vehicle     nb        63.06±2.86   59.44±3.54   58.62±3.64   60.34±3.74   57.29±4.82   56.48±4.17
vehicle     logistic  67.68±3.49   32.29±7.31   34.06±8.87   30.04±6.18   29.75±2.88   29.35±6.20
waveform40  c45       74.78±0.61   74.64±0.74   73.38±1.24   72.14±0.93   71.39±0.77   70.66±1.25
waveform40  part      76.60±1.14   73.40±0.98   73.22±0.67   72.60±1.06   71.98±0.75   70.89±1.74
waveform40  nb        80.65±0.67   73.42±3.11   70.29±2.55   66.25±1.77   64.93±1.58   63.90±2.85
waveform40  logistic  85.07±0.74   50.03±6.81   46.08±6.16   42.91±6.54   35.35±3.06   44.93±8.57
german      c45       71.67±1.28   69.98±1.80   70.08±1.83   69.39±2.22   69.19±1.49   69.97±2.12
german      part      69.91±1.97   70.83±1.69   69.78±2.31   69.25±1.96   68.81±2.18   70.23±1.54
german      nb        74.67±1.89   70.56±2.89   71.12±2.38   71.08±2.23   70.99±1.98   71.01±1.47
german      logistic  74.19±1.22   67.14±7.78   68.34±8.58   71.03±2.73   70.52±2.20   71.12±1.58
adult       c45       85.96±0.19   85.88±0.21   85.73±0.22   85.61±0.19   85.48±0.20   85.32±0.19
adult       part      85.81±0.18   85.91±0.25   85.79±0.18   85.63±0.27   85.55±0.13   85.28±0.23
adult       nb        83.77±0.19   85.79±0.76   86.05±0.41   85.98±0.49   86.01±0.52   85.88±0.36
adult       logistic  86.92±0.12   78.31±18.25  84.34±3.12   85.30±0.88   84.80±1.03   85.00±0.45
"""

# kACTUS-2, Table 1: data set, learner, area under accuracy over k for each of the methods compared.
_AREA = """
adult       c45       76414.025  75472.2    80843.275  81830.7    82663.22
adult       part      76401.425  75472.225  -          81849.25   82338.2
adult       nb        75295.975  73071.75   -          82383.8    82755.32
adult       logistic  76377.775  76477.2    -          80761.575  81623.65
german9     c45       6583.175   6621.625   6596.7     6645.725   6646.4
german9     part      6456.275   6292.65    -          6438.1     6505.225
german9     nb        6585.775   6173.25    -          6640.52    6625.95
german9     logistic  6635.25    6525.025   -          6635.35    6626.425
tic_tac_toe c45       1731.175   1658.75    1771.3     1789.725   1802.35
tic_tac_toe part      1727.925   1628.5     -          1795.325   1791.15
tic_tac_toe nb        1751.525   1716.075   -          1623.675   1566.675
tic_tac_toe logistic  1738.275   1693.15    -          1481.8     1389.725
glass       c45       1292.3     964.475    1350.35    1383.2     1372.225
glass       part      1292.3     964.475    -          1400.675   1390.225
glass       nb        1202.8     1289.625   -          1387.525   1463.15
glass       logistic  1284.65    965.9      -          1188.9     1242.9
waveform40  c45       2860.2     1837.65    3113.85    3185.825   3252.475
waveform40  part      2857.85    2175.825   -          3208.5     3231.75
waveform40  nb        2827.9     2064.7     -          2961.075   3054.7
waveform40  logistic  2859.825   1035.925   -          2038       2208.4
"""

# kACTUS-2, Table 2: data set, k, share of missing cells of TDS, TDR, kACTUS, kACTUS-2.
_MISSING = """
adult       5     0.73  0.71  0.72  0.71
adult       20    0.63  0.67  0.72  0.72
adult       50    0.69  0.67  0.73  0.72
adult       100   0.75  0.73  0.75  0.73
adult       500   0.83  0.73  0.78  0.75
adult       1000  0.76  0.75  0.83  0.76
tic_tac_toe 5     0.67  0.69  0.62  0.58
tic_tac_toe 10    0.7   0.72  0.67  0.61
tic_tac_toe 15    0.7   0.75  0.73  0.64
tic_tac_toe 20    0.71  0.76  0.74  0.65
tic_tac_toe 30    0.8   0.78  0.77  0.68
glass       5     0.66  0.67  0.57  0.51
glass       10    0.67  0.70  0.61  0.55
glass       15    0.72  0.71  0.64  0.58
glass       20    0.75  0.77  0.69  0.62
glass       30    0.78  0.78  0.75  0.67
waveform40  5     0.82  0.86  0.82  0.81
waveform40  10    0.85  0.88  0.83  0.81
waveform40  15    0.85  0.88  0.83  0.82
waveform40  20    0.85  0.89  0.84  0.83
waveform40  30    0.85  0.89  0.85  0.83
waveform40  40    0.85  0.9   0.85  0.84
waveform40  50    0.87  0.91  0.86  0.84
german9     5     0.31  0.31  0.34  0.34
german9     10    0.32  0.32  0.36  0.35
german9     15    0.35  0.33  0.36  0.35
german9     20    0.36  0.34  0.37  0.35
german9     30    0.36  0.34  0.37  0.37
german9     40    0.36  0.34  0.38  0.38
german9     50    0.36  0.35  0.39  0.39
german9     80    0.36  0.37  0.42  0.41
german9     100   0.36  0.38  0.42  0.42
"""


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def _spread(text: str) -> Spread:
    mean, _, deviation = text.partition("±")
    return Spread(float(mean), float(deviation))


_ACCURACY_OF = {
    (data, inducer, k): _spread(text)
    for data, inducer, *texts in _lines(_ACCURACY)
    for k, text in zip(ACCURACY_KS, texts, strict=True)
}
_AREA_OF = {
    (data, inducer, method): float(text)
    for data, inducer, *texts in _lines(_AREA)
    for method, text in zip(COMPARED, texts, strict=True)
    if text != "-"
}
_MISSING_OF = {
    (data, int(k), method): float(text)
    for data, k, *texts in _lines(_MISSING)
    for method, text in zip(("tds", "tdr", "kactus", "kactus2"), texts, strict=True)
}


def accuracy(data: str, inducer: str, k: int) -> Spread | None:
    """kACTUS, Table 2, in percent; k = 1 is the table as it was."""
    return _ACCURACY_OF.get((data, inducer, k))


def area(data: str, inducer: str, method: str) -> float | None:
    """kACTUS-2, Table 1: the area under accuracy (percent) over k, from the least k to the greatest."""
    return _AREA_OF.get((data, inducer, method))


def missing_ratio(data: str, k: int, method: str) -> float | None:
    """kACTUS-2, Table 2: the share of the cells that a release suppressed."""
    return _MISSING_OF.get((data, k, method))


def area_ks(data: str) -> tuple[int, ...]:
    """The k at which kACTUS-2 measured; none where it did not use the data set."""
    return tuple(sorted({k for name, k, _ in _MISSING_OF if name == data}))
