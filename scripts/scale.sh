#!/bin/bash
# What commands take by the size of the model: time and most memory, and both a million vertices or a GiB of keys.
#   scripts/scale.sh [PROGRAM [VERTICES...]]
# KEYS="1000 400000" sets the numbers of keys. The models are made by examples/make_grid.rs and examples/make_keys.rs and
# left in target/scale.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/rigscope}")
shift || true
sizes=("$@")
[ $# -gt 0 ] || sizes=(10000 100000 1000000 4000000)
read -ra keys <<< "${KEYS-1000 10000 100000}"
out=target/scale
mkdir -p "$out"
# As `make test` has built them: for a release of them all crates below would be built once more.
cargo build --quiet --locked --workspace --features rigscope/catalog --example make_grid --example make_keys

# row NUMBER FILE COMMAND PER: a command on a file, both figures PER that many of its number.
row() {
	local number=$1 file=$2 command=$3 per=$4 more=() ok told ms mib
	case $command in
		pose) more=(-o "$out/out.obj" --force) ;;
		render) more=(-o "$out/out.png" --force) ;;
		convert) more=(-o "$out/out.${file##*.}" --force) ;;
	esac
	# The first time reads from the disk and compiles shaders.
	for _ in 1 2; do
		"$program" --timings "$command" "$file" "${more[@]}" > "$out/out.txt" 2> "$out/log" && ok=1 || ok=$?
	done
	told=$(grep '^timings:' "$out/log" || true)
	# Findings are no failure.
	if [ "$ok" -gt 1 ]; then
		printf '%-10d %-9s %s\n' "$number" "$command" "$(grep '^error:' "$out/log" | head -1)"
		return
	fi
	read -r ms mib <<< "$(sed -E 's/^timings: ([0-9.]+) ms(, ([0-9]+) MiB.*)?/\1 \3/' <<< "$told")"
	awk -v number="$number" -v name="$command" -v ms="${ms:-0}" -v mib="${mib:-0}" -v per="$per" 'BEGIN {
		printf "%-10d %-9s %10.1f %8d %14.1f %14.1f\n", number, name, ms, mib, ms / number * per, mib / number * per }'
}

printf '%-10s %-9s %10s %8s %14s %14s\n' vertices command ms MiB "ms / million" "MiB / million"
for size in "${sizes[@]}"; do
	file=$out/$size.glb
	[ -f "$file" ] || target/debug/examples/make_grid "$size" "$file"
	for command in info validate pose render convert; do
		row "$size" "$file" "$command" 1e6
	done
done
[ ${#keys[@]} -gt 0 ] || exit 0
# A key of 256 bones takes 12 KiB: a GiB holds so many.
printf '\n%-10s %-9s %10s %8s %14s %14s\n' keys command ms MiB "ms / GiB" "MiB / GiB"
for number in "${keys[@]}"; do
	file=$out/$number.bsm2
	[ -f "$file" ] || target/debug/examples/make_keys "$number" "$file"
	for command in info validate pose render convert; do
		row "$number" "$file" "$command" 87381.33
	done
done
