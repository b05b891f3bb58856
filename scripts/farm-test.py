#!/usr/bin/env python3
"""Processes many files on two workers, one of which is killed, and compares the rows with `rigscope catalog`.

scripts/farm-test.py RIGSCOPE FOLDER [--files N] [--figures]

The files are variants of the sample: other bones, positions, weights and clips, and glTF with a separate buffer. Some are
truncated, empty or of an unknown format, one is a pipe without a writer, and one exceeds the memory limit. The
cluster has two workers with one core each on this machine, bound to 127.0.0.1; one is killed after a fifth of the rows.
--figures also times `rigscope catalog` on one core, one worker, and two workers that aren't killed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import struct
import subprocess
import time
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Otherwise Ray uses 127.0.0.1 as the address for other machines.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"

import pyarrow.parquet as pq  # noqa: E402
import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

import rigscope  # noqa: E402
from rigscope import farm  # noqa: E402

SAMPLE = Path(__file__).resolve().parents[1] / "assets" / "sample.bsm2"
TIME_LIMIT_SECS = 10
MEMORY_LIMIT = 512 << 20
#: Only read by the cluster, because `rigscope catalog` has no limits for them.
HANGS, GROWS = "hangs.bsm2", "grows.bsm2"


class Varied:
    """Variants of the sample, with its parts combined differently."""

    def __init__(self) -> None:
        content = SAMPLE.read_bytes()
        counts = struct.unpack_from("<6I", content)
        self.num_bones = counts[3]
        at = 24
        self.vertices = [content[at + 32 * n : at + 32 * n + 32] for n in range(counts[0])]
        at += 32 * counts[0]
        self.indices = struct.unpack_from(f"<{counts[1]}H", content, at)
        at += 2 * counts[1]
        self.subsets = [struct.unpack_from("<3I", content, at + 12 * n) for n in range(counts[2])]
        at += 12 * counts[2]
        self.materials = []
        for _ in range(counts[4]):
            name, at = self.text(content, at)
            self.materials.append(name)
        self.clips = []
        for _ in range(counts[5]):
            name, at = self.text(content, at)
            head = struct.unpack_from("<QQI", content, at)
            num_bytes = head[2] * self.num_bones * 48
            self.clips.append((name, head, content[at + 20 : at + 20 + num_bytes]))
            at += 20 + num_bytes
        self.hierarchy = content[at : at + 65 * self.num_bones]
        at += 65 * self.num_bones
        self.bones = []
        for _ in range(self.num_bones):
            name, at = self.text(content, at)
            self.bones.append(name)
        assert at == len(content), "the sample has another layout"
        with_buffer = rigscope.convert(SAMPLE, "varied.gltf", save=False, check=False).files
        self.gltf = {path.suffix: content for path, content in with_buffer}

    @staticmethod
    def text(content: bytes, at: int) -> tuple[bytes, int]:
        (length,) = struct.unpack_from("<I", content, at)
        return content[at + 4 : at + 4 + length], at + 4 + length

    def bsm2(self, chance: random.Random) -> bytes:
        """One part of the character, with some keys of one clip."""
        subset = chance.choice(self.subsets)
        indices = self.indices[subset[0] : subset[0] + subset[1]]
        used = sorted(set(indices))
        place = {vertex: at for at, vertex in enumerate(used)}
        size = chance.uniform(0.5, 2)
        kind = chance.randrange(8)
        vertices = []
        for vertex in used:
            x, y, z = struct.unpack_from("<3f", self.vertices[vertex])
            if kind == 0 and chance.random() < 0.01:
                x = float("nan")
            rest = self.vertices[vertex][12:]
            if kind == 1:
                # Simulates an exporter that loses all influences except one.
                rest = rest[:16] + b"\xff\0\0\0"
            elif kind == 2:
                rest = rest[:16] + bytes(chance.randrange(256) for _ in range(4))
            vertices.append(struct.pack("<3f", x * size, y * size, z * size) + rest)
        name, head, keys = chance.choice(self.clips)
        num_keys = chance.randrange(1, 9)
        bones = [bone + b"_%d" % chance.randrange(100) if kind == 3 else bone for bone in self.bones]
        counts = (len(used), len(indices), 1, self.num_bones, 1, 1)
        texts = lambda names: b"".join(struct.pack("<I", len(name)) + name for name in names)  # noqa: E731
        parts = [
            struct.pack("<6I", *counts),
            *vertices,
            struct.pack(f"<{len(indices)}H", *(place[index] for index in indices)),
            struct.pack("<3I", 0, len(indices), 0),
            texts([chance.choice(self.materials)]),
            texts([name]),
            struct.pack("<QQI", head[1] * (num_keys - 1), head[1], num_keys),
            keys[: num_keys * self.num_bones * 48],
            self.hierarchy,
            texts(bones),
        ]
        return b"".join(parts)


def put_files(folder: Path, num_files: int) -> list[Path]:
    """Writes files, always the same ones."""
    varied = Varied()
    paths = []
    for number in range(num_files):
        chance = random.Random(number)
        path = folder / f"{number // 500:03}" / f"{number:06}.bsm2"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = varied.bsm2(chance)
        kind = number % 100
        if kind in (7, 57):
            content = content[: chance.randrange(len(content))]
        elif kind == 11:
            content = chance.randbytes(chance.randrange(5000))
        elif kind == 13:
            content = b""
        elif kind == 17:
            # Every other one lacks its buffer.
            path = path.with_suffix(".gltf")
            content = varied.gltf[".gltf"].replace(b"varied.bin", path.with_suffix(".bin").name.encode())
            if number % 200 == kind:
                path.with_suffix(".bin").write_bytes(varied.gltf[".bin"])
        path.write_bytes(content)
        paths.append(path)
    return paths


def put_strange_files(folder: Path) -> None:
    os.mkfifo(folder / HANGS)
    num_vertices = 10_000_000
    with open(folder / GROWS, "wb") as file:
        # The file can be read, but the model doesn't fit into the memory limit.
        file.write(struct.pack("<6I", num_vertices, 0, 0, 0, 0, 0))
        file.truncate(24 + 32 * num_vertices)


@contextlib.contextmanager
def cluster(num_workers: int):
    """Workers with one core each on this machine, and an idle head node."""
    here = {"node_ip_address": "127.0.0.1", "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **here})
    try:
        workers = [made.add_node(num_cpus=1, memory=4 << 30, **here) for _ in range(num_workers)]
        ray.init(made.address, log_to_driver=False, logging_level="WARNING", _node_ip_address="127.0.0.1")
        yield workers
    finally:
        ray.shutdown()
        made.shutdown()


def kill(worker) -> None:
    """Kills a worker, as if its machine lost power."""
    os.kill(worker.all_processes["raylet"][0].process.pid, signal.SIGKILL)


def rows(path: Path) -> dict[str, dict]:
    """Rows by file; fails if a file has two."""
    table = pq.read_table(path)
    found = {row["file"]: row for row in table.to_pylist()}
    assert len(found) == table.num_rows, f"{table.num_rows} rows of {len(found)} files"
    return found


def check(one: Path, many: Path, folder: Path) -> None:
    """Fails unless both tables have the same files with equal rows."""
    expected, found = rows(one), rows(many)
    strange = {str(folder / name): found.pop(str(folder / name)) for name in (HANGS, GROWS)}
    assert found.keys() == expected.keys(), f"{len(found)} files of {len(expected)}"
    differ = [file for file, row in expected.items() if not same(found[file], row)]
    assert not differ, f"{len(differ)} rows differ, the first is\n{found[differ[0]]}\n{expected[differ[0]]}"
    assert pq.read_schema(one).equals(pq.read_schema(next(many.glob("part-*")))), "other columns"
    for file, row in strange.items():
        print(f"{Path(file).name}: {row['error']}")
        assert row["ok"] is False and row["totals"] is None
    assert "took longer" in strange[str(folder / HANGS)]["error"]
    assert "ended the process" in strange[str(folder / GROWS)]["error"]
    unread = sum(row["error"] is not None for row in expected.values())
    assert 0 < unread < len(expected) / 2, unread
    print(f"{len(expected)} rows match those of one machine, {unread} of them for unreadable files")


def same(a, b) -> bool:
    """Whether both are equal, or both are NaN."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


def timed(what: str, num_files: int, work) -> float:
    begun = time.monotonic()
    work()
    took = time.monotonic() - begun
    print(f"{what}: {took:.1f} s, {num_files / took:.0f} files/s", flush=True)
    return took


def catalog(source, out: Path, **options) -> farm.Done:
    shutil.rmtree(out, ignore_errors=True)
    limits = {"time_limit": TIME_LIMIT_SECS, "memory_limit": MEMORY_LIMIT}
    return farm.catalog(source, out, **limits, **options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rigscope", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--figures", action="store_true")
    args = parser.parse_args()
    folder = args.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    exports = folder / "exports"
    timed("making files", args.files, lambda: put_files(exports, args.files))

    def one(**environment: str) -> None:
        command = [args.rigscope, "catalog", exports, "-o", folder / "one.parquet", "--force"]
        subprocess.run(command, check=True, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)

    timed("rigscope catalog", args.files, one)
    if args.figures:
        timed("rigscope catalog, one thread", args.files, lambda: one(RAYON_NUM_THREADS="1"))
        for num_workers in (1, 2):
            with cluster(num_workers):
                catalog(exports / "000", folder / "warm")
                out = folder / f"workers-{num_workers}"
                timed(f"workers: {num_workers}", args.files, lambda: catalog(exports, out))

    put_strange_files(exports)
    out = folder / "killed"
    with cluster(2) as workers:
        killed: list[int] = []

        def watch(num_done: int, num_files: int, _: int) -> None:
            if not killed and num_files / 5 <= num_done < num_files:
                kill(workers[1])
                killed.append(num_done)

        timed("workers: 2, one of them killed", args.files, lambda: catalog(exports, out, progress=watch))
        alive = [node for node in ray.nodes() if node["Alive"]]
        assert killed and len(alive) == 2, f"no worker was killed: {killed}, {len(alive)}"
        print(f"a worker was killed after {killed[0]} rows")
    check(folder / "one.parquet", out, exports)
    again = farm.catalog(exports, out, progress=None)
    assert again.kept == again.rows == args.files + 2, again
    print("done")


if __name__ == "__main__":
    main()
