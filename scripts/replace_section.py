"""Replaces the lines between `<!-- NAME -->` and `<!-- /NAME -->`: replace_section.py PAGE NAME FILE"""

import pathlib
import sys

page, name, source = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
before, rest = page.read_text(encoding="utf-8").split(f"<!-- {name} -->\n", 1)
_, after = rest.split(f"<!-- /{name} -->", 1)
text = source.read_text(encoding="utf-8")
page.write_text(f"{before}<!-- {name} -->\n{text}<!-- /{name} -->{after}", encoding="utf-8")
