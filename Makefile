# Two commands do everything on a fresh Debian or Ubuntu machine: `make run` and `make test`. `make ci` checks the rest
# too.

SHELL := /bin/bash
CARGO ?= cargo

# What builds the C and C++ of ufbx and meshopt, what a window and a picture need at run time, and
# what tests need besides.
BUILD_PACKAGES := g++
PYTHON_PACKAGES := $(BUILD_PACKAGES) python3-venv
RUN_PACKAGES := $(BUILD_PACKAGES) mesa-vulkan-drivers libvulkan1 libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libwayland-client0
TEST_PACKAGES := $(RUN_PACKAGES) xvfb xauth

# Where Python's tools are installed.
PYTHON_ENV := $(CURDIR)/target/python

# The whole workspace, with the slow command that users must ask for: one set of features for everything that is built
# here, so that no crate is compiled twice.
ALL := --workspace --features rigscope/catalog
# Without test binaries.
LIKE_TESTS := --lib --example make_grid

# The output of the tests, counted at the end of `make test`.
TEST_LOG := target/tests.txt

.PHONY: ci checks build-cost features injected causes-table optimizers ordinary engines usd words web serve test-web coverage gallery run test fmt clippy unit doc python-test farm-test wheel book \
	python-reference windows windows-test aarch64-test macos-check release release-test blender blender-test install uninstall deb \
	deb-test bench peers scale sample sample-materials validate-glb fuzz fuzz-seeds pictures rust root-user node \
	build-packages python-packages deb-test-packages run-packages test-packages

run:
	@scripts/preflight.sh 2500
	@.ci/packages $(RUN_PACKAGES)
	@echo "Compiling Rigscope; the first time, this takes several minutes…"
	$(CARGO) build --release --locked
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		target/release/rigscope --sample; \
	else \
		target/release/rigscope render assets/sample.bsm2 -o target/sample.png --clip walk --time 0.3 --force \
		&& echo "There is no display: the sample is drawn in $$(pwd)/target/sample.png"; \
	fi

# The tests of the programs, the library and the Python package.
test:
	@scripts/preflight.sh 8000
	@$(MAKE) --no-print-directory unit python-test
	@scripts/test-summary.sh $(TEST_LOG)

# Everything that a change must pass.
ci: test checks

# Everything but the tests of `make test`; the most expensive last.
checks: words fmt clippy doc test-web

# The CPU seconds of the build of `make run` from nothing, by crate, next to those in CONTRIBUTING.md.
build-cost:
	@scripts/build-cost.sh

# Faults put into the models of folders and into random rigs, and the causes that `diagnose` names:
# make injected MODELS=../models SEEDS=0..40
MODELS ?= assets
SEEDS ?= 0..4
injected: rust build-packages
	$(CARGO) run --quiet --locked --package rigscope-io --example injected -- $(SEEDS) $(abspath $(MODELS))
	RIGSCOPE_INJECTED="$(abspath $(MODELS))" $(CARGO) test --quiet --locked --package rigscope-io --test fixes -- --ignored --nocapture

# Causes that are named for models that common optimizers have rewritten: make optimizers MODELS=../models
optimizers: rust node build-packages
	$(CARGO) build --quiet --locked --bin rigscope --no-default-features --features cli
	npm install --silent --no-audit --no-fund --prefix target/optimizers gltfpack@1.3.0 @gltf-transform/cli@4.5.1
	python3 scripts/optimizers.py target/debug/rigscope target/optimizers/node_modules/.bin $(abspath $(MODELS))

# The table in docs/causes.md: how often the faults of random rigs with counted seeds are named.
causes-table: rust build-packages
	$(CARGO) run --quiet --locked --package rigscope-io --example injected -- table 1000..1003 > target/outcomes.md
	python3 scripts/replace_section.py docs/causes.md outcomes target/outcomes.md

# The distribution of each measurement of `diagnose` over sound models: make ordinary MODELS=../models SEEDS=0..60
ordinary: rust build-packages
	$(CARGO) run --quiet --locked --package rigscope-io --example injected -- \
		ordinary rigs $(SEEDS) $(abspath $(MODELS)) > target/ordinary.tsv
	mv target/ordinary.tsv crates/core/src/diagnose/ordinary.tsv

# Posed vertices of engines, compared with what Rigscope predicts. Installs the engines; their answers are kept in
# target/engines/answers.
engines: rust node build-packages
	@.ci/packages chromium libassimp5 python3-venv xvfb
	$(CARGO) build --quiet --locked --bin rigscope --no-default-features --features cli
	$(CARGO) build --quiet --locked --package rigscope-io --example played_poses
	$(CARGO) build --quiet --locked --manifest-path engines/bevy/Cargo.toml --target-dir target/bevy
	cd engines && npm ci --no-audit --no-fund
	python3 -m venv engines/.venv
	engines/.venv/bin/pip install --quiet --requirement engines/requirements.txt
	engines/.venv/bin/python engines/models.py target/engines
	engines/.venv/bin/python engines/compare.py target/engines --rigscope target/debug/rigscope \
		--player target/debug/examples/played_poses --book docs/runtimes.md

# Poses of USD stages, and of USD files that Rigscope writes, compared with those of Pixar's library.
usd: rust build-packages
	@.ci/packages python3-venv
	$(CARGO) build --quiet --locked --bin rigscope --no-default-features --features cli,usd
	python3 -m venv engines/usd/.venv
	engines/usd/.venv/bin/pip install --quiet --requirement engines/usd/requirements.txt
	engines/usd/.venv/bin/python engines/usd/compare.py target/debug/rigscope target/usd
	engines/usd/.venv/bin/python engines/usd/compare_written.py target/debug/rigscope target/usd

# Also what macros name as modules, which `cargo fmt` does not find by itself.
fmt: rust
	$(CARGO) fmt --all --check -- crates/gpu/src/pass/*.rs crates/io/src/formats/*/mod.rs crates/core/src/validate/*/*.rs

clippy: rust build-packages
	$(CARGO) clippy --quiet --locked --all-targets $(ALL) -- -D warnings

# Wordings that CONTRIBUTING.md rules out, per 1,000 lines of text.
words:
	@python3 scripts/words.py

# Windows open on a virtual display even if there is a real one: tests must not pop up over someone's work.
unit: rust test-packages
	@echo "Compiling the tests; the first time, this takes several minutes…"
	$(CARGO) test --locked $(ALL) --no-run
	@mkdir -p $(dir $(TEST_LOG)); set -o pipefail; \
	xvfb-run -a -s "-screen 0 1600x1000x24" $(CARGO) test --locked $(ALL) 2>&1 | tee $(TEST_LOG)

# The library without features, and the command line without a GPU. Not part of `make test`: other features mean that
# most crates below are compiled once more, for two tests.
features: rust build-packages
	$(CARGO) check --quiet --locked --package rigscope --no-default-features
	$(CARGO) test --quiet --locked --package rigscope --no-default-features --features cli --test cli without_gpu

doc: rust build-packages
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --locked --no-deps $(ALL) $(LIKE_TESTS)

# What tests without samples run of each reader and writer: at least 85 % of its lines. A process that
# a test kills leaves no counts.
coverage: rust build-packages
	@command -v cargo-llvm-cov >/dev/null || { echo "cargo-llvm-cov is missing: cargo install --locked cargo-llvm-cov && rustup component add llvm-tools"; exit 1; }
	CARGO_PROFILE_DEV_OPT_LEVEL=0 RIGSCOPE_SAMPLES=none $(CARGO) llvm-cov --quiet --locked --package rigscope-io \
		--failure-mode all --lib --test formats --lcov --output-path target/coverage.lcov -- --skip killed_
	@awk -f scripts/coverage.awk target/coverage.lcov

# The Python package where it lies; releases test the wheel.
python-test: rust python-packages
	@scripts/python-env.sh $(PYTHON_ENV) "pytest>=8" "numpy>=1.24" "mypy>=1.11" "pillow>=10" "pycollada>=0.9"; \
	case $$? in 0) ;; 3) echo "test python ... ignored, packages cannot be fetched" >> $(TEST_LOG); exit 0 ;; *) exit 1 ;; esac; \
	set -eo pipefail; \
	$(CARGO) build --quiet --locked $(ALL) $(LIKE_TESTS); \
	cp target/debug/lib_rigscope.so python/rigscope/_rigscope.abi3.so; \
	PYTHONPATH=$(CURDIR)/python $(PYTHON_ENV)/bin/python -m pytest --quiet -rs -p no:cacheprovider python/tests 2>&1 | tee -a $(TEST_LOG)

# 10,000 files on two workers of Ray, one of which is killed, held against `rigscope catalog` row by row; fetches Ray
# (0.7 GB installed). FARM="--figures" times one worker and two besides.
FARM_ENV := $(CURDIR)/target/farm-python
farm-test: rust python-packages
	scripts/python-env.sh $(FARM_ENV) "maturin>=1.9,<2" "pytest>=8" "numpy>=1.24" "ray[data]>=2.40" "pyarrow>=14.0.1" "fsspec>=2023.5"
	env VIRTUAL_ENV=$(FARM_ENV) PATH="$(FARM_ENV)/bin:$$PATH" maturin develop --release --quiet --locked --no-default-features --manifest-path python/Cargo.toml
	$(FARM_ENV)/bin/python -m pytest --quiet -p no:cacheprovider python/tests/test_farm.py
	$(CARGO) build --release --locked --no-default-features --features cli,catalog --bin rigscope
	$(FARM_ENV)/bin/python scripts/farm-test.py target/release/rigscope target/farm $(FARM)

# The page of the browser, in dist/: any static host can give it away. `make serve` does so on this machine.
web: rust
	scripts/web.sh dist

serve: web
	@echo "http://127.0.0.1:8080/"; cd dist && python3 -m http.server --bind 127.0.0.1 8080

# Chromium opens it, with WebGPU in software.
test-web: rust test-packages
	@mkdir -p $(dir $(TEST_LOG)); set -o pipefail; scripts/test-web.sh 2>&1 | tee -a $(TEST_LOG); \
	case $$? in 0) ;; 3) echo "test the page ... ignored, packages cannot be fetched" >> $(TEST_LOG) ;; *) exit 1 ;; esac

# The manual, in target/book; the sources in docs/ can also be read as they are.
book: rust build-packages
	@command -v mdbook >/dev/null || $(CARGO) install --locked mdbook --version '^0.4'
	mdbook build docs

# Python's classes and functions from their docstrings, in target/book/python-reference.
python-reference: rust python-packages
	scripts/python-reference.sh

# Programs, manual, completions, icon, what desktops want to know: make install PREFIX=/usr DESTDIR=/tmp/root
PREFIX ?= /usr/local
DESTDIR ?=
install: rust build-packages
	$(CARGO) build --profile dist --locked --bins --features catalog
	scripts/install.sh target/dist "$(DESTDIR)" "$(PREFIX)"

uninstall:
	scripts/install.sh --remove "$(DESTDIR)" "$(PREFIX)"

# The programs for Windows 10 and later, built on Linux, in target/windows.
windows: rust
	scripts/windows.sh

# The tests of the command line, for Windows, under Wine. WINDOWS_TESTS="convert pose" runs only those.
windows-test: rust
	scripts/windows-test.sh $(WINDOWS_TESTS)

# The programs for Linux on aarch64, emulated, run the tests of the command line.
aarch64-test: rust
	scripts/aarch64-test.sh

# The crates without GPU and window type-checked for macOS; nothing is linked or run.
macos-check: rust
	scripts/macos-check.sh

# The packages of a release that can be built on Linux, in target/archives. PARTS="linux windows" builds only those.
release: rust
	scripts/release.sh $(PARTS)

# Installs each package of target/archives into an empty place and opens the sample with it; as root.
release-test: rust test-packages
	scripts/release-test.sh $(PARTS)

# A package for Debian and Ubuntu, in target/debian.
deb: rust build-packages
	@.ci/packages binutils dpkg-dev
	$(CARGO) build --profile dist --locked --bins --features catalog
	scripts/deb.sh target/dist

# The package checked, then installed into a fresh system in target/, looked at and removed; as root.
deb-test: root-user deb-test-packages deb
	scripts/deb-test.sh target/debian/rigscope_*.deb target/deb-test

# The extension for Blender with a wheel for this machine, in target/blender.
blender: wheel
	python3 scripts/blender-extension.py target/blender/rigscope-blender.zip target/wheels/rigscope-*.whl

# What Blender makes of every format; fetches Blender as a Python module (0.4 GB, of Python 3.11).
BLENDER_ENV := $(CURDIR)/target/blender-python
blender-test: rust python-packages
	@python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "Blender's module needs Python 3.11 as python3"; exit 1; }
	scripts/python-env.sh $(BLENDER_ENV) "maturin>=1.9,<2" "pytest>=8" "numpy>=1.24" "bpy==5.0.*"
	env VIRTUAL_ENV=$(BLENDER_ENV) PATH="$(BLENDER_ENV)/bin:$$PATH" maturin develop --quiet --locked --manifest-path python/Cargo.toml
	$(BLENDER_ENV)/bin/python -m pytest --quiet -p no:cacheprovider blender/tests

# Wheels of the Python package for this machine, in target/wheels; with a viewer for notebooks after `make web`.
wheel: rust python-packages
	scripts/python-env.sh $(PYTHON_ENV) "maturin>=1.9,<2"
	scripts/wheel-viewer.sh
	$(PYTHON_ENV)/bin/maturin build --profile dist --locked --strip --manifest-path python/Cargo.toml --out target/wheels

bench: rust run-packages
	$(CARGO) bench --locked

# Time and memory by the size of the model: make scale SIZES="10000 20000000" KEYS="1000 400000"
scale: rust run-packages
	@.ci/packages time
	$(CARGO) build --profile dist --locked
	scripts/scale.sh target/dist/rigscope $(SIZES)

# Time and memory next to other programs, and what got worse since benches/peers.txt; missing programs are left out.
peers: rust run-packages
	@.ci/packages time
	$(CARGO) build --release --locked
	scripts/peers.sh target/release/rigscope

# The embedded sample and the pictures in README are made by the project's own code.
sample: rust build-packages
	$(CARGO) run --quiet --example make_sample

# The same character in target/dressed, with images of physically based materials named after its own.
sample-materials: rust build-packages
	$(CARGO) run --quiet --example make_sample -- target/dressed

# Every sample as GLB, seen by Khronos' validator, which npm fetches into target/.
validate-glb: rust build-packages node
	$(CARGO) test --quiet --package rigscope-io --test formats gltf_write
	npm install --silent --no-save --prefix target/gltf-validator gltf-validator@2.0.0-dev.3.10
	node scripts/validate-glb.mjs target/tmp/glb target/gltf-validator

rust:
	@command -v $(CARGO) >/dev/null || { echo "Rust is missing: install it with rustup (https://rustup.rs) and run this again"; exit 1; }

root-user:
	@[ "$$(id -u)" = 0 ] || { echo "this target installs a package into a fresh system: run it as root"; exit 1; }

node:
	@command -v node >/dev/null && command -v npm >/dev/null || .ci/packages nodejs npm

build-packages:
	@.ci/packages $(BUILD_PACKAGES)

python-packages:
	@.ci/packages $(PYTHON_PACKAGES)

deb-test-packages:
	@.ci/packages lintian debootstrap

run-packages:
	@.ci/packages $(RUN_PACKAGES)

test-packages:
	@.ci/packages $(TEST_PACKAGES)

# The reader of each format, images, then all operations on a model, for SECONDS each: make fuzz SECONDS=600
# SANITIZER=address also checks the C and C++ below, at half the speed.
SECONDS ?= 60
SANITIZER ?= none
fuzz: rust build-packages
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked cargo-fuzz
	@CARGO=$(CARGO) scripts/fuzz.sh $(SECONDS) $(SANITIZER)

# Small inputs that reach different code, in fuzz/seeds: crates/io/tests/every.rs and `make fuzz` start from them.
fuzz-seeds: rust build-packages
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked cargo-fuzz
	@CARGO=$(CARGO) scripts/fuzz-seeds.sh $(SECONDS)

# The pictures of docs/gallery.
gallery: rust test-packages
	@.ci/packages imagemagick
	$(CARGO) build --release
	xvfb-run -a -s "-screen 0 1600x1000x24" scripts/gallery.sh target/release/rigscope

# README's pictures; that of the browser takes dist/ as it is.
pictures: rust test-packages
	@[ -f dist/index.html ] || { echo "the page is missing: run 'make web' first"; exit 1; }
	@.ci/packages imagemagick
	scripts/test-web.sh --tools
	xvfb-run -a -s "-screen 0 1280x860x24" node web/test/readme_screenshot.mjs dist target/web-test assets/browser.png
	settings=$$(mktemp -d) && echo '(overlays: (bones: true), window_size: (1280.0, 800.0), shows_hints: false)' > $$settings/settings.ron \
	&& RIGSCOPE_CONFIG_DIR=$$settings xvfb-run -a -s "-screen 0 1600x1000x24" $(CARGO) run --quiet -- view assets/sample.bsm2 \
		--clip wave --time 1.05 --exit-after-frames 4 --screenshot assets/screenshot.png
