#!/bin/bash
# Compares Rigscope with alternatives, in pairs in one run: medians of time and peak memory, and their
# ratios.
#   scripts/peers.sh [--install] [--record] [PROGRAM [FILE.glb...]]
# At the end, ratios that are more than a tenth worse than those in benches/peers.txt are listed; --record replaces them.
# --install fetches f3d, assimp, Chromium and GNU time by apt, libf3d by pip, Khronos' validator and three.js by npm. Missing
# peers are skipped. Without files, uses the embedded sample as GLB and grids from examples/make_grid.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --install ]; then
	shift
	sudo=$([ "$(id -u)" = 0 ] || echo sudo)
	$sudo apt-get install -y --no-install-recommends f3d assimp-utils chromium time xvfb xauth
	scripts/python-env.sh target/libf3d "f3d==4.0.0" || echo "libf3d cannot be fetched" >&2
	if command -v npm > /dev/null; then
		npm install --silent --no-save --prefix target/gltf-validator gltf-validator@2.0.0-dev.3.10 \
			|| echo "Khronos' validator cannot be fetched" >&2
		npm install --silent --no-save --prefix target/three three@0.180 puppeteer-core@24 \
			|| echo "three.js cannot be fetched" >&2
	fi
fi
record=
if [ "${1:-}" = --record ]; then
	record=1
	shift
fi
program=$(realpath "${1:-target/release/rigscope}")
shift || true
out=target/peers
recorded=benches/peers.txt
mkdir -p "$out"
: > "$out/ratios"
files=("$@")
if [ $# -eq 0 ]; then
	"$program" convert assets/sample.bsm2 -o "$out/sample.glb" --force > "$out/log"
	# The same build as in `make test`; a release build would compile all dependencies again.
	cargo build --quiet --locked --workspace --features rigscope/catalog --example make_grid
	for size in 100000 1000000; do
		[ -f "$out/$size.glb" ] || target/debug/examples/make_grid "$size" "$out/$size.glb"
	done
	files=("$out/sample.glb" "$out/100000.glb" "$out/1000000.glb")
fi
command -v /usr/bin/time > /dev/null || { echo "GNU time is missing: run with --install" >&2; exit 1; }

rounds=${ROUNDS:-5}
size=1000,600

# taken FILE COMMAND...: runs the command and appends seconds and MiB to the file.
taken() {
	local log=$1
	shift
	/usr/bin/time -q -f '%e %M' -o "$out/time" "$@" > "$out/log" 2>&1 || { echo "failed: $*" >&2; tail -3 "$out/log" >&2; return 1; }
	awk '{ print $1, $2 / 1024 }' "$out/time" >> "$log"
}

median() { # FILE COLUMN
	awk -v at="$2" '{ print $at }' "$1" | sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

# pair NAME PEER: runs the commands `ours` and `theirs`.
pair() {
	rm -f "$out/ours" "$out/theirs"
	for _ in $(seq $rounds); do
		taken "$out/ours" "${ours[@]}" && taken "$out/theirs" "${theirs[@]}" || return 0
	done
	row "$1" "$2" "$(median "$out/ours" 1)" "$(median "$out/theirs" 1)"
}

# more_frames NAME PEER: the time of one additional frame; the number of frames is appended to `ours` and `theirs`.
# Small files use enough frames to make the startup of a browser negligible.
more_frames() {
	local more=8
	[ "$(stat -c %s "$file")" -gt 1000000 ] || more=64
	rm -f "$out"/{ours,theirs}{,.first}
	for _ in $(seq $rounds); do
		taken "$out/ours.first" "${ours[@]}" 1 && taken "$out/ours" "${ours[@]}" $((1 + more)) || return 0
		taken "$out/theirs.first" "${theirs[@]}" 1 && taken "$out/theirs" "${theirs[@]}" $((1 + more)) || return 0
	done
	one() { awk -v all="$(median "$1" 1)" -v first="$(median "$1.first" 1)" -v more=$more 'BEGIN { print (all - first) / more }'; }
	row "$1" "$2" "$(one "$out/ours")" "$(one "$out/theirs")"
}

# row NAME PEER SECONDS SECONDS: prints a row, with the measured memory.
row() {
	awk -v name="$1" -v peer="$2" -v a="$3" -v b="$4" \
		-v m="$(median "$out/ours" 2)" -v n="$(median "$out/theirs" 2)" 'BEGIN {
		printf "%-28s %7.3f s %6d MiB   %-8s %7.3f s %6d MiB   %5.2f %5.2f\n", name, a, m, peer, b, n, a / (b ? b : 1), m / (n ? n : 1)
		printf "%s / %s: %.2f %.2f\n", name, peer, a / (b ? b : 1), m / (n ? n : 1) >> "'"$out/ratios"'" }'
}

# A virtual display, so that no windows open on the desktop. It is reused by all clients.
if command -v Xvfb > /dev/null; then
	exec 3< <(exec Xvfb -displayfd 1 -noreset -screen 0 1600x1000x24 2> /dev/null)
	screen=$!
	trap 'kill $screen 2> /dev/null' EXIT
	read -r display <&3
	export DISPLAY=:$display
	unset WAYLAND_DISPLAY
fi
export XDG_CONFIG_HOME=$PWD/$out/config XDG_CACHE_HOME=$PWD/$out/cache

echo "$(uname -sm), $(nproc) cores, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)"
printf '%-28s %20s   %-8s %20s   %5s %5s\n' "" rigscope peer "" time memory
for file in "${files[@]}"; do
	name=$(basename "$file" .glb)
	if command -v f3d > /dev/null; then
		ours=("$program" render "$file" -o "$out/ours.png" --size "${size/,/x}" --force)
		theirs=(f3d "$file" --output "$out/theirs.png" --resolution "$size")
		pair "picture $name" f3d
		# Our window until it is idle and validated, compared with an image rendered by the peer.
		ours=("$program" view "$file" --exit-after-frames 5)
		pair "window $name" f3d
	fi
	if [ -x target/libf3d/bin/python ]; then
		ours=("$program" render "$file" -o "$out/ours.png" --size "${size/,/x}" --force --frames)
		theirs=(target/libf3d/bin/python scripts/libf3d.py "$file" "$out/theirs.png")
		more_frames "one more frame $name" libf3d
	fi
	if [ -d target/three/node_modules/three ] && command -v node > /dev/null; then
		# Without writing images to files.
		ours=("$program" render "$file" -o "$out/ours.png" --size "${size/,/x}" --force --frames)
		theirs=(node scripts/three.mjs "$file")
		more_frames "one more frame $name" three.js
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

if [ -n "$record" ]; then
	cp "$out/ratios" "$recorded"
	echo "the ratios are recorded in $recorded"
elif [ -f "$recorded" ]; then
	awk -F ': ' -v file="$recorded" '
	NR == FNR { before[$1] = $2; next }
	$1 in before {
		split(before[$1], old, " "); split($2, new, " ")
		if (new[1] > 1.1 * old[1] + 0.005) worse[++num] = sprintf("%s: time %.2f instead of %.2f", $1, new[1], old[1])
		if (new[2] > 1.1 * old[2] + 0.005) worse[++num] = sprintf("%s: memory %.2f instead of %.2f", $1, new[2], old[2])
	}
	END {
		print (num ? "worse by more than a tenth than in " file ":" : "nothing is worse by more than a tenth than in " file)
		for (at = 1; at <= num; at++) print "  " worse[at]
	}' "$recorded" "$out/ratios"
fi
