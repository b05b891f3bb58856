#!/bin/bash
# Makes docs/gallery/*.png: one picture for each area of the window, from the embedded sample and
# files that the program itself makes from it. Run it where there is a display, or under xvfb-run:
#   xvfb-run -a -s "-screen 0 1600x1000x24" scripts/gallery.sh target/release/rigscope
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/rigscope}")
sample=assets/sample.bsm2
out=docs/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

"$program" convert "$sample" -o "$work/character.glb"
"$program" convert "$sample" -o "$work/prop.bsm" --hull

# picture NAME FILE ARGUMENTS…: each with settings of its own.
picture() {
	local name=$1 file=$2
	shift 2
	local settings="$work/settings-$name"
	mkdir -p "$settings"
	echo "(shows_hints: false, window_size: (1280.0, 800.0)${extra:-})" > "$settings/settings.ron"
	RIGSCOPE_CONFIG_DIR=$settings "$program" view "$file" "$@" \
		--exit-after-frames 6 --screenshot "$out/$name.png"
	echo "$out/$name.png"
}

picture overview "$sample" --clip wave --time 1.05
picture bones "$sample" --clip walk --time 0.3 --run bones,bone-names --select bone:forearm_l
picture wireframe "$work/prop.bsm" --run textures,wireframe --select subset:1
picture normals "$sample" --clip walk --time 0.3 --run normals-as-colours
picture log "$work/character.glb" --panes outline,inspector,log
extra=", theme: HighContrast" picture high-contrast "$sample" --run bones --select bone:head
extra=", theme: Light, ui_scale: 1.3" picture light "$sample" --panes inspector
