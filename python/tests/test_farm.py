"""Tables of many files: the reader process, the folder of parts, and runs on Ray."""

import os
import signal
import struct
import subprocess
import sys
import textwrap
import time

import pytest

import rigscope
from rigscope.farm import paths

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install rigscope[ray]")
fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install rigscope[ray]")

import json  # noqa: E402

from rigscope.farm import columns, shard  # noqa: E402
from rigscope.farm.dataset import Dataset, Mismatch  # noqa: E402
from rigscope.farm.reader import Reader  # noqa: E402

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and pipes")


@pytest.fixture
def exports(sample_path, tmp_path):
    """Four readable files, a damaged one, and one of another type."""
    content = sample_path.read_bytes()
    folder = tmp_path / "exports"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.bsm2", "b.bsm2", "c.bsm2", "deep/d.BSM2"):
        (folder / name).write_bytes(content)
    (folder / "cut.bsm2").write_bytes(content[:5000])
    (folder / "notes.txt").write_text("no model")
    return folder


@pytest.fixture
def strange_child(tmp_path, monkeypatch):
    """Simulates crashes and errors for files with certain names, only in the reader process."""
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(
        textwrap.dedent("""
            import sys
            if "rigscope.farm.child" in sys.orig_argv:
                import os, signal
                import rigscope
                read = rigscope._rigscope.catalog_row
                num_read = 0

                def strange(source, **options):
                    global num_read
                    num_read += 1
                    name = os.path.basename(source if isinstance(source, str) else source[0])
                    if "kill" in name:
                        os.kill(os.getpid(), signal.SIGKILL)
                    if "exit" in name:
                        print("said before the end", file=sys.stderr, flush=True)
                        os._exit(7)
                    if "raise" in name:
                        raise RuntimeError("for no reason")
                    if "second" in name and num_read > 1:
                        os.abort()
                    return read(source, **options)

                rigscope._rigscope.catalog_row = strange
            """)
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "python"))


def put(folder, *names):
    content = (folder / "a.bsm2").read_bytes()
    for name in names:
        (folder / name).write_bytes(content)


def error(row):
    return json.loads(row).get("error")


def test_a_file_that_ends_the_process_gives_a_row_and_the_next_is_read(exports, strange_child):
    put(exports, "kill.bsm2", "exit.bsm2", "raise.bsm2", "second.bsm2")
    with Reader() as reader:
        row = lambda name: reader.row(str(exports / name))  # noqa: E731
        first = row("a.bsm2")
        assert json.loads(first) == rigscope.catalog_row(exports / "a.bsm2")
        child = reader.child
        assert error(row("b.bsm2")) is None and reader.child is child, "the process is reused"
        assert error(row("kill.bsm2")) == "ended the process that read it: SIGKILL"
        assert error(row("b.bsm2")) is None and reader.child is not child
        assert error(row("exit.bsm2")).endswith("exit code 7, said before the end")
        assert error(row("raise.bsm2")) == "RuntimeError: for no reason"
        # The process may have ended because of files read before, so the file is retried.
        assert error(row("second.bsm2")) is None
        assert row("a.bsm2") == first


@posix
def test_a_file_that_hangs_gives_a_row(exports):
    os.mkfifo(exports / "hangs.bsm2")
    with Reader(time_limit=1.0) as reader:
        assert error(reader.row(str(exports / "a.bsm2"))) is None
        begun = time.monotonic()
        row = json.loads(reader.row(str(exports / "hangs.bsm2")))
        assert 1 <= time.monotonic() - begun < 10
        assert row["error"] == "took longer than 1 seconds to read" and row["ok"] is False
        assert error(reader.row(str(exports / "a.bsm2"))) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory limits need Linux")
def test_a_file_that_needs_too_much_memory_gives_a_row(exports):
    num_vertices = 4_000_000
    with open(exports / "grows.bsm2", "wb") as file:
        file.write(struct.pack("<6I", num_vertices, 0, 0, 0, 0, 0))
        file.truncate(24 + 32 * num_vertices)
    with Reader(memory_limit=192 << 20) as reader:
        assert "SIGABRT, memory allocation of" in error(reader.row(str(exports / "grows.bsm2")))
        assert error(reader.row(str(exports / "a.bsm2"))) is None
        with open(exports / "huge.bsm2", "wb") as file:
            file.truncate(1 << 30)
        assert "memory" in error(reader.row(str(exports / "huge.bsm2")))


@posix
def test_the_process_ends_with_its_parent(exports):
    os.mkfifo(exports / "hangs.bsm2")
    program = """
import sys, threading
from rigscope.farm.reader import Reader
reader = Reader()
reader.row(sys.argv[1])
print(reader.child.process.pid, flush=True)
reader.row(sys.argv[2])
"""
    arguments = [sys.executable, "-c", program, exports / "a.bsm2", exports / "hangs.bsm2"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.kill()
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if is_zombie(child):
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the process is still running")


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


def test_sources_are_folders_files_lists_and_urls(exports, tmp_path):
    models = sorted(map(str, [*exports.glob("*.bsm2"), exports / "deep" / "d.BSM2"]))
    assert paths.find(exports) == models and len(models) == 5
    assert paths.find(str(exports / "notes.txt")) == [str(exports / "notes.txt")]
    assert paths.find([exports / "b.bsm2", "s3://b/a.bsm2"]) == [str(exports / "b.bsm2"), "s3://b/a.bsm2"]
    assert paths.find(f"file://{exports}") == models
    store = fsspec.filesystem("memory")
    for name in ("a.bsm2", "deep/b.ozz", "c.doc"):
        store.pipe_file(f"/found/{name}", b"")
    assert paths.find("memory://found") == ["memory:///found/a.bsm2", "memory:///found/deep/b.ozz"]
    assert paths.find("memory://found/*.bsm2") == ["memory:///found/a.bsm2"]
    assert paths.find("memory://found/c.doc") == ["memory:///found/c.doc"]
    (tmp_path / "list").write_bytes(b"a.bsm2\r\n\nb c.bsm2")
    assert paths.read_list(tmp_path / "list") == ["a.bsm2", "b c.bsm2"]
    (tmp_path / "list").write_bytes(b"a\nb.bsm2\0\xff.bsm2\0")
    assert paths.read_list(tmp_path / "list") == ["a\nb.bsm2", "\udcff.bsm2"]
    if os.name == "posix":
        (exports / "deep" / "back").symlink_to(exports)
        assert paths.find(exports) == models
    for gone in (tmp_path / "none", "memory://none"):
        with pytest.raises(FileNotFoundError):
            paths.find(gone)


def test_files_in_a_store_are_read_with_their_related_files(sample, tmp_path, strange_child):
    made = rigscope.convert(sample, tmp_path / "a.gltf", check=False)
    store = fsspec.filesystem("memory")
    for path in made.paths:
        store.pipe_file(f"/exports/{path.name}", path.read_bytes())
    store.pipe_file("/exports/kill.gltf", b"{}")
    beside = rigscope.catalog_row(tmp_path / "a.gltf")
    found = paths.find("memory://exports")
    assert found == ["memory:///exports/a.gltf", "memory:///exports/kill.gltf"]
    with Reader() as reader:
        assert error(reader.row(found[1])) == "ended the process that read it: SIGKILL"
        row = json.loads(reader.row(found[0]))
        assert row["ok"] and row["totals"] == beside["totals"] and row["content"] == beside["content"]
        gone = json.loads(reader.row("memory://exports/gone.bsm2"))
        assert gone["error"] == "no such file or folder" and gone["file"].endswith("gone.bsm2")
        assert "cannot be fetched" in error(reader.row("nowhere://a.bsm2"))
    with Reader(memory_limit=1000) as reader:
        assert "too large to fetch" in error(reader.row(found[0]))


def test_columns_match_the_rows(exports):
    schema = columns.schema()
    assert not schema.field("file").nullable and schema.field("totals").type.num_fields == 9
    rows = [rigscope._rigscope.catalog_row(str(exports / name)) for name in ("a.bsm2", "cut.bsm2")]
    rows.append('{"file": "x", "ok": false, "error": "a \\"b\\"\\n"}')
    table = columns.table(rows, schema)
    assert table.schema.equals(schema)
    first, cut, last = table.to_pylist()
    assert first == json.loads(rows[0]) and cut == json.loads(rows[1])
    assert last["error"] == 'a "b"\n' and last["bones"] is None and last["bytes"] is None


def shard_options(out, num_shards):
    return shard.ShardOptions(str(out), num_shards, rigscope.__version__, 60.0, 2 << 30, None)


def do(out, shards, at):
    item = {"shard": at, "paths": shard.pack(shards[at])}
    return shard.write_shard(item, shard_options(out, len(shards)))


@pytest.mark.parametrize("place", ["disk", "memory"])
def test_parts_are_written_once_and_a_different_table_is_refused(exports, tmp_path, place):
    out = tmp_path / "out" if place == "disk" else f"memory://{tmp_path.name}"
    files = paths.find(exports)
    dataset = Dataset(out)
    shards = dataset.begin(files, 2, redo=False)
    assert [len(shard) for shard in shards] == [2, 2, 1]
    counts = do(out, shards, 1)
    assert counts == {"shard": 1, "rows": 2, "not_ok": 1, "unread": 1}
    assert dataset.counted(3) == {1: {"rows": 2, "not_ok": 1, "unread": 1}}
    assert do(out, shards, 1) == counts, "the existing part is used"
    # An incomplete part is written again.
    dataset.write(dataset.part(1, 3), b"PAR1 torn")
    assert dataset.counted(3) == {} and do(out, shards, 1) == counts
    assert Dataset(out).begin(files, None, redo=False) == shards
    for others, why in ((files[1:], "these are 4"), ([*files[:-1], "x"], "other files")):
        with pytest.raises(Mismatch, match=why):
            Dataset(out).begin(others, None, redo=False)
    with pytest.raises(Mismatch, match="shards of 2"):
        Dataset(out).begin(files, 3, redo=False)
    os.utime(files[0], ns=(1, 1))
    with pytest.raises(Mismatch, match="have changed"):
        Dataset(out).begin(files, None, redo=False)
    dataset._put("_manifest.json", b"torn")
    with pytest.raises(Mismatch, match="understood"):
        Dataset(out).begin(files, None, redo=False)
    assert Dataset(out).begin(files, 4, redo=True) == [files[:4], files[4:]]
    assert Dataset(out).counted(2) == {}


def test_a_folder_with_other_files_is_not_changed(exports, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "part-1.parquet").write_text("somebody's")
    for redo in (False, True):
        with pytest.raises(Mismatch, match="other things"):
            Dataset(tmp_path / "out").begin([], None, redo=redo)
    assert (tmp_path / "out" / "part-1.parquet").read_text() == "somebody's"


def test_a_worker_of_another_version_does_nothing(exports, tmp_path):
    shards = Dataset(tmp_path / "out").begin(paths.find(exports), None, redo=False)
    item = {"shard": 0, "paths": shard.pack(shards[0])}
    other = shard.ShardOptions(str(tmp_path / "out"), 1, "0.0.0", 60.0, 2 << 30, None)
    with pytest.raises(RuntimeError, match="0.0.0"):
        shard.write_shard(item, other)


@pytest.fixture(scope="module")
def ray_here():
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install rigscope[ray]")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    return ray


@posix
def test_all_files_give_one_row_even_after_an_interruption(ray_here, exports, tmp_path, strange_child):
    from rigscope import farm

    content = (exports / "a.bsm2").read_bytes()
    for number in range(200):
        length = 5000 if number % 20 == 0 else len(content)
        (exports / f"{number:03}.bsm2").write_bytes(content[:length])
    put(exports, "kill.bsm2", "exit.bsm2")
    os.mkfifo(exports / "hangs.bsm2")
    out = tmp_path / "out"
    options = {"time_limit": 10.0, "memory_limit": 1 << 30, "shard_files": 16, "num_cpus": 2}

    class Stopped(Exception):
        pass

    def stop(num_done, num_files, _):
        if num_done > num_files / 3:
            raise Stopped

    with pytest.raises(Stopped):
        farm.catalog(exports, out, progress=stop, **options)
    assert not ray_here.is_initialized()
    begun = {part.name: part.stat().st_mtime_ns for part in out.glob("part-*")}
    assert len(begun) >= 5
    told = []
    done = farm.catalog(exports, out, progress=lambda *args: told.append(args), **options)
    assert (done.rows, done.unread) == (208, 14) and done.kept >= 70
    assert told[0] == (done.kept, 208, done.kept) and told[-1][0] == 208
    assert all((out / name).stat().st_mtime_ns == time for name, time in begun.items())
    assert sorted(os.listdir(out))[0] == "_manifest.json" and len(os.listdir(out)) == 14
    import pyarrow.parquet as pq

    rows = {row["file"]: row for row in pq.read_table(out).to_pylist()}
    assert sorted(rows) == paths.find(exports)
    errors = {os.path.basename(file): row["error"] for file, row in rows.items() if row["error"]}
    assert "took longer than 10" in errors.pop("hangs.bsm2")
    assert "SIGKILL" in errors.pop("kill.bsm2") and "exit code 7" in errors.pop("exit.bsm2")
    assert len(errors) == 11 and all("BSM2" in why for why in errors.values())
    expected = rigscope.catalog_row(exports / "007.bsm2")
    assert rows[str(exports / "007.bsm2")] == expected
    with pytest.raises(ValueError, match="no worker has"):
        farm.catalog(exports, tmp_path / "other", task_memory=1 << 50, num_cpus=1)


def test_the_command_reports_errors(ray_here, exports, tmp_path):
    def run(*arguments):
        command = [sys.executable, "-m", "rigscope.farm", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    assert "--files-from" in run("--help").stdout
    assert run("-o", tmp_path / "out").returncode == 2
    gone = run(tmp_path / "none", "-o", tmp_path / "out")
    assert gone.returncode == 2 and "none" in gone.stderr and "Traceback" not in gone.stderr
    (tmp_path / "list").write_text(f"{exports / 'a.bsm2'}\n{exports / 'gone.bsm2'}\n")
    done = run("--files-from", tmp_path / "list", "-o", tmp_path / "out", "--cores", 1)
    assert done.returncode == 0, done.stderr
    assert "2 rows, 1 not ok, 1 of them unread" in done.stderr
    refused = run(exports, "-o", tmp_path / "out")
    assert refused.returncode == 2 and "--redo" in refused.stderr
