#!/usr/bin/env python3
"""Wraps a PNG image of at most 256 pixels per side into a Windows icon: windows-icon.py IN.png OUT.ico

Source: "Icons" in the Win32 documentation (ICONDIR, ICONDIRENTRY); PNG entries are read since Windows Vista.
"""

import struct
import sys
from pathlib import Path

png = Path(sys.argv[1]).read_bytes()
if png[:8] != b"\x89PNG\r\n\x1a\n":
    sys.exit(f"{sys.argv[1]}: not a PNG image")
width, height = struct.unpack(">II", png[16:24])
if max(width, height) > 256:
    sys.exit(f"{sys.argv[1]}: {width} x {height} pixels; an icon has at most 256 per side")
header = struct.pack("<HHH", 0, 1, 1)
# 0 stands for 256.
entry = struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(png), len(header) + 16)
Path(sys.argv[2]).write_bytes(header + entry + png)
