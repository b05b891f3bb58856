#!/bin/bash
# What commands take by the size of the model: time and most memory, and both a million vertices.
#   scripts/scale.sh [PROGRAM [VERTICES...]]
# The models are made by examples/make_grid.rs and left in target/scale.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/rigscope}")
shift || true
sizes=("$@")
[ $# -gt 0 ] || sizes=(10000 100000 1000000 4000000)
out=target/scale
mkdir -p "$out"
cargo build --quiet --release --locked --no-default-features --example make_grid

printf '%-10s %-9s %10s %8s %14s %14s\n' vertices command ms MiB "ms / million" "MiB / million"
for size in "${sizes[@]}"; do
	file=$out/$size.glb
	[ -f "$file" ] || target/release/examples/make_grid "$size" "$file"
	for command in info validate pose render convert; do
		case $command in
			pose) more=(-o "$out/out.obj" --force) ;;
			render) more=(-o "$out/out.png" --force) ;;
			convert) more=(-o "$out/out.glb" --force) ;;
			*) more=() ;;
		esac
		# The first time reads from the disk and compiles shaders.
		for _ in 1 2; do
			"$program" --timings "$command" "$file" "${more[@]}" > "$out/out.txt" 2> "$out/log" && ok=1 || ok=$?
		done
		told=$(grep '^timings:' "$out/log" || true)
		# Findings are no failure.
		if [ "$ok" -gt 1 ]; then
			printf '%-10d %-9s %s\n' "$size" "$command" "$(grep '^error:' "$out/log" | head -1)"
			continue
		fi
		read -r ms mib <<< "$(sed -E 's/^timings: ([0-9.]+) ms(, ([0-9]+) MiB.*)?/\1 \3/' <<< "$told")"
		awk -v size="$size" -v name="$command" -v ms="${ms:-0}" -v mib="${mib:-0}" 'BEGIN {
			printf "%-10d %-9s %10.1f %8d %14.1f %14.1f\n", size, name, ms, mib, ms / size * 1e6, mib / size * 1e6 }'
	done
done
