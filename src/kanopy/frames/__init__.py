"""The door: the only room that knows files, pandas, polars, pyarrow and narwhals."""
