# A line a reader and writer: how many of its lines the tests ran, out of lcov's records.
#
#   cargo llvm-cov ... --lcov --output-path FILE && awk -f scripts/coverage.awk FILE
#
# Ends with status 1 where a reader, a writer or one of their files is below LEAST per cent. Tests do
# not count as lines, nor do functions that only the compiler ran.

BEGIN {
	LEAST = 85
	# Files that write, besides those called write*; what else lies in a format's folder reads, or serves
	# both.
	split("bsm/names bsm/prepare bsm2/holds gltf/write/holds iqm/out obj/library obj/names obj/text " \
		"ozz/holds ozz/influences ozz/keys ozz/originals ozz/out " \
		"sims/cfp_pack sims/encode sims/holds sims/lines sims/names sims/originals sims/packed_fields " \
		"sims/rig sims/worn", names, " ")
	for (at in names)
		writers["src/formats/" names[at] ".rs"] = 1
}

function writes(path) {
	return path in writers || path ~ /\/write|\/(related_images|losses|rigged_model)\//
}

# Notes which lines of a source file are no part of it here.
function look_through(file,    line, before, number, end) {
	split("", skipped)
	for (test_line = 1e9; (getline line < file) > 0; before = line) {
		number++
		if (before == "#[cfg(test)]" && line ~ /^mod .*\{$/)
			test_line = number
		if (line ~ /^ *(pub(\([a-z: ]+\))? )?const fn /) {
			end = line
			sub(/[^ ].*/, "}", end)
		}
		if (end != "")
			skipped[number] = 1
		if (line == end)
			end = ""
	}
	close(file)
}

/^SF:/ {
	file = substr($0, 4)
	path = file
	sub(/.*\/crates\/io\/src\//, "src/", path)
	is_wanted = path ~ /^src\/formats\// && path !~ /tests?(\/|\.rs)|_tests\.rs|evaluated\.rs/
	if (!is_wanted)
		next
	look_through(file)
	# What lies in no format's folder serves all of them, and is judged as a whole.
	num_parts = split(path, part, "/")
	row = num_parts == 3 ? "all" : part[3] (writes(path) ? " writes" : " reads")
}

/^DA:/ && is_wanted {
	split(substr($0, 4), line_and_count, ",")
	line = line_and_count[1]
	if (line >= test_line || (line_and_count[2] == 0 && line in skipped))
		next
	lines[row]++
	lines[path]++
	if (line_and_count[2] > 0) {
		run[row]++
		run[path]++
	}
}

function percent(of) {
	return 100 * run[of] / lines[of]
}

END {
	printf "%-24s %6s %6s %7s\n", "", "lines", "run", "percent"
	for (of in lines)
		if (of !~ /\//)
			printf "%-24s %6d %6d %7.1f\n", of, lines[of], run[of], percent(of) | "sort"
	close("sort")
	for (path in writers)
		if (!(path in lines)) {
			print path " is not there"
			is_low = 1
		}
	for (of in lines)
		if (percent(of) < LEAST && of !~ /^src\/formats\/[^\/]+$/) {
			printf "%s is below %d %%: %.1f\n", of, LEAST, percent(of)
			is_low = 1
		}
	exit is_low
}
