#!/usr/bin/env python3
"""Writes the manifests with which winget and Scoop install Rigscope on Windows.

    scripts/windows-manifests.py VERSION URL_BASE FOLDER OUT

FOLDER contains the zip and the installer that scripts/windows-package.sh built, and URL_BASE is the address from which
they will be downloaded, for example https://example.org/rigscope/releases/download/v0.3.0. Results:

    OUT/winget/Rigscope.Rigscope*.yaml   for `winget validate OUT/winget`
    OUT/scoop/rigscope.json              for a Scoop bucket
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
IDENTIFIER = "Rigscope.Rigscope"
PUBLISHER = "The authors of Rigscope"
LOCALE = "en-US"
WINGET_SCHEMA = "1.6.0"


def cargo_value(key: str) -> str:
    """The first value of a key in Cargo.toml."""
    match = re.search(rf'^{key} = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        sys.exit(f"Cargo.toml: {key} is missing")
    return match.group(1)


def extensions() -> list[str]:
    """The extensions that the installer registers, without dots."""
    script = (ROOT / "packaging/rigscope.nsi").read_text(encoding="utf-8")
    return sorted(re.findall(r"^ +!insertmacro \$\{ACTION\} (\w+)$", script, re.MULTILINE))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def homepage(url_base: str) -> str:
    """The project's page: the part before /releases/, otherwise the server."""
    if "/releases/" in url_base:
        return url_base.split("/releases/")[0]
    parts = urlsplit(url_base)
    return f"{parts.scheme}://{parts.netloc}/"


def yaml(value, indent: str = "") -> str:
    """YAML of nested dictionaries and lists. Strings are quoted as in JSON, which YAML includes."""
    lines = []
    if isinstance(value, dict):
        for key, item in value.items():
            nested = isinstance(item, dict | list)
            text = "\n" + yaml(item, indent + "  ") if nested else f" {json.dumps(item)}\n"
            lines.append(f"{indent}{key}:{text}")
    else:
        for item in value:
            text = yaml(item, indent + "  ").lstrip() if isinstance(item, dict) else f"{json.dumps(item)}\n"
            lines.append(f"{indent}- {text}")
    return "".join(lines)


def winget(version: str, url_base: str, installer: Path) -> dict[str, str]:
    """File names and contents."""
    about = {"PackageIdentifier": IDENTIFIER, "PackageVersion": version}
    # Exit codes of packaging/rigscope.nsi.
    codes = {1: "cancelledByUser", 3: "packageInUse"}
    manifests = {
        "version": about | {"DefaultLocale": LOCALE},
        "installer": about | {
            "Platform": ["Windows.Desktop"],
            "MinimumOSVersion": "10.0.0.0",
            "InstallerType": "nullsoft",
            "Scope": "user",
            "InstallModes": ["interactive", "silent", "silentWithProgress"],
            "ExpectedReturnCodes": [
                {"InstallerReturnCode": code, "ReturnResponse": response} for code, response in codes.items()
            ],
            "UpgradeBehavior": "install",
            "Commands": ["fbx_bsm2", "rigscope"],
            "FileExtensions": extensions(),
            "ProductCode": "Rigscope",
            "Installers": [{
                "Architecture": "x64",
                "InstallerUrl": f"{url_base}/{installer.name}",
                "InstallerSha256": sha256(installer).upper(),
            }],
        },
        "defaultLocale": about | {
            "PackageLocale": LOCALE,
            "Publisher": PUBLISHER,
            "PackageName": "Rigscope",
            "PackageUrl": homepage(url_base),
            "License": cargo_value("license"),
            "ShortDescription": cargo_value("description"),
            "Moniker": "rigscope",
            "Tags": ["animation", "bsm2", "fbx", "gltf", "mesh", "skinning", "viewer"],
        },
    }
    endings = {"version": "", "installer": ".installer", "defaultLocale": f".locale.{LOCALE}"}
    return {
        f"{IDENTIFIER}{endings[kind]}.yaml": yaml(content | {"ManifestType": kind, "ManifestVersion": WINGET_SCHEMA})
        for kind, content in manifests.items()
    }


def scoop(version: str, url_base: str, archive: Path) -> str:
    page = homepage(url_base)
    on_github = urlsplit(page).netloc == "github.com"
    pattern = r"rigscope-([\d.]+)-x86_64-windows\.zip"

    def any_version(text: str) -> str:
        return text.replace(version, "$version")

    url, folder = f"{url_base}/{archive.name}", archive.stem
    manifest = {
        "version": version,
        "description": cargo_value("description"),
        "homepage": page,
        # Scoop separates alternatives with a vertical bar.
        "license": cargo_value("license").replace(" OR ", "|"),
        "architecture": {"64bit": {"url": url, "hash": sha256(archive), "extract_dir": folder}},
        "bin": ["rigscope.exe", "fbx_bsm2.exe"],
        "shortcuts": [["rigscope-gui.exe", "Rigscope"]],
        "checkver": {"github": page} if on_github else {"url": page, "regex": pattern},
        "autoupdate": {"architecture": {"64bit": {"url": any_version(url), "extract_dir": any_version(folder)}}},
    }
    return json.dumps(manifest, indent=4) + "\n"


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    version, url_base, folder, out = sys.argv[1], sys.argv[2].rstrip("/"), Path(sys.argv[3]), Path(sys.argv[4])
    if not re.match(r"https?://[^/]", url_base):
        sys.exit(f"{url_base}: not an address that starts with https://")
    name = f"rigscope-{version}-x86_64-windows"
    archive, installer = folder / f"{name}.zip", folder / f"{name}-setup.exe"
    for path in (archive, installer):
        if not path.is_file():
            sys.exit(f"{path} is missing; run scripts/windows-package.sh first")
    files = {f"winget/{name}": text for name, text in winget(version, url_base, installer).items()}
    files["scoop/rigscope.json"] = scoop(version, url_base, archive)
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    main()
