"""Converts rows to Arrow columns; the library defines the columns of ``rigscope catalog``."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.json

from ..catalog import catalog_columns

SIMPLE = {
    "boolean": pa.bool_(),
    "int": pa.int64(),
    "single": pa.float32(),
    "double": pa.float64(),
    "text": pa.string(),
}
#: Arrow reads JSON in blocks with a 31-bit length.
MAX_ROW_BYTES = (1 << 31) - (1 << 20)


def schema() -> pa.Schema:
    """The columns."""
    columns = catalog_columns()
    # Every row has a file.
    return pa.schema([_field(column, column["name"] != "file") for column in columns])


def _field(column: dict[str, Any], is_nullable: bool = True) -> pa.Field:
    return pa.field(column["name"], _type(column["kind"]), is_nullable)


def _type(kind: Any) -> pa.DataType:
    if isinstance(kind, str):
        return SIMPLE[kind]
    if "list" in kind:
        return pa.list_(pa.field("element", _type(kind["list"])))
    return pa.struct([_field(column) for column in kind["struct"]])


def table(rows: list[str], schema: pa.Schema) -> pa.Table:
    """Converts rows of JSON to columns."""
    content = "\n".join(rows).encode()
    read = pyarrow.json.read_json(
        io.BytesIO(content),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(content) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=schema, unexpected_field_behavior="ignore"
        ),
    )
    return read.cast(schema)
