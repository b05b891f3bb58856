#!/bin/bash
# Rigscope beside what somebody would take instead, in pairs in one run: medians of time and most memory, and
# what the one takes over what the other takes.
#   scripts/peers.sh [--install] [PROGRAM [FILE.glb...]]
# --install fetches f3d, assimp and GNU time by apt. Peers that are missing are left out. Without files
# the embedded sample as GLB and grids of examples/make_grid.rs are taken.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --install ]; then
	shift
	sudo=$([ "$(id -u)" = 0 ] || echo sudo)
	$sudo apt-get install -y --no-install-recommends f3d assimp-utils time xvfb xauth
fi
program=$(realpath "${1:-target/release/rigscope}")
shift || true
out=target/peers
mkdir -p "$out"
files=("$@")
if [ $# -eq 0 ]; then
	"$program" convert assets/sample.bsm2 -o "$out/sample.glb" --force > "$out/log"
	cargo build --quiet --release --locked --no-default-features --example make_grid
	for size in 100000 1000000; do
		[ -f "$out/$size.glb" ] || target/release/examples/make_grid "$size" "$out/$size.glb"
	done
	files=("$out/sample.glb" "$out/100000.glb" "$out/1000000.glb")
fi
command -v /usr/bin/time > /dev/null || { echo "GNU time is missing: run with --install" >&2; exit 1; }

rounds=${ROUNDS:-5}
size=1000,600

# taken FILE COMMAND...: appends seconds and MiB to the file.
taken() {
	local log=$1
	shift
	/usr/bin/time -q -f '%e %M' -o "$out/time" "$@" > "$out/log" 2>&1 || { echo "failed: $*" >&2; tail -3 "$out/log" >&2; return 1; }
	awk '{ print $1, $2 / 1024 }' "$out/time" >> "$log"
}

median() { # FILE COLUMN
	awk -v at="$2" '{ print $at }' "$1" | sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

# pair NAME PEER: `ours` and `theirs` are what is run.
pair() {
	rm -f "$out/ours" "$out/theirs"
	for _ in $(seq $rounds); do
		taken "$out/ours" "${ours[@]}" && taken "$out/theirs" "${theirs[@]}" || return 0
	done
	awk -v name="$1" -v peer="$2" -v a="$(median "$out/ours" 1)" -v b="$(median "$out/theirs" 1)" \
		-v m="$(median "$out/ours" 2)" -v n="$(median "$out/theirs" 2)" 'BEGIN {
		printf "%-28s %7.2f s %6d MiB   %-8s %7.2f s %6d MiB   %5.2f %5.2f\n", name, a, m, peer, b, n, a / (b ? b : 1), m / (n ? n : 1) }'
}

echo "$(uname -sm), $(nproc) cores, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)"
printf '%-28s %20s   %-8s %20s   %5s %5s\n' "" rigscope peer "" time memory
for file in "${files[@]}"; do
	name=$(basename "$file" .glb)
	if command -v f3d > /dev/null; then
		ours=("$program" render "$file" -o "$out/ours.png" --size "${size/,/x}" --force)
		# Its picture needs a display.
		theirs=(f3d "$file" --output "$out/theirs.png" --resolution "$size")
		[ -n "${DISPLAY:-}" ] || theirs=(xvfb-run -a "${theirs[@]}")
		pair "picture $name" f3d
	fi
	if command -v assimp > /dev/null; then
		ours=("$program" info "$file")
		theirs=(assimp info "$file")
		pair "info $name" assimp
	fi
	validator=target/gltf-validator/node_modules/gltf-validator
	if command -v node > /dev/null && [ -d "$validator" ]; then
		ours=("$program" validate "$file")
		theirs=(node -e "require('./$validator').validateBytes(new Uint8Array(require('fs').readFileSync('$file'))).then(() => 0)")
		pair "validate $name" khronos
	fi
done
