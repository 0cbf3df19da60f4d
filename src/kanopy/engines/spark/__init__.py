"""Apache Spark counts, the driver decides, Spark writes and reads back: the same release."""
