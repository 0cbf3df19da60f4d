"""Tables in and out: the only package that knows files, pandas, polars, pyarrow and narwhals."""
