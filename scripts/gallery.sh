#!/bin/bash
# Makes docs/gallery/wave.gif and *.png: one image for each area of the window, from the embedded sample and
# files that the program generates from it. Needs a display, or xvfb-run:
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
"$program" convert "$sample" -o "$work/rigid.bsm2" --limit-influences 1
# The sample with generated textures.
cargo run --quiet --example make_sample -- "$work/dressed"

# picture NAME FILE ARGUMENTS…: takes a screenshot with separate settings.
picture() {
	local name=$1 file=$2
	shift 2
	local settings="$work/settings-$name"
	mkdir -p "$settings"
	echo "(shows_hints: false, window_size: (1280.0, 800.0)${extra:-})" > "$settings/settings.ron"
	RIGSCOPE_CONFIG_DIR=$settings "$program" view "$file" "$@" \
		--exit-after-frames 14 --screenshot "$out/$name.png"
	# A palette reduces the size to a fifth, to keep clones of the repository small.
	if command -v convert > /dev/null; then
		convert "$out/$name.png" -colors 200 "PNG8:$out/$name.png"
	fi
	echo "$out/$name.png"
}

# The animation in the README.
"$program" render "$sample" -o "$out/wave.gif" --clip wave --size 320x320 --camera 20,8 --background plain \
	--show surface,subset-colors,bones,bones-on-top --force

picture overview "$sample" --clip wave --time 1.05
picture pick "$sample" --clip walk --time 0.3 --run frame-the-selection --select vertex:1489
picture bytes "$sample" --clip walk --time 0.3 --panes outline,inspector,bytes --run show-the-bytes-of-the-selection --select vertex:1489
picture weights "$sample" --clip walk --time 0.3 --panes outline,weights --run bones,bone-weights --select bone:forearm_l
picture bones "$sample" --clip walk --time 0.3 --run bones,bone-names,bone-axes,motion-path --select bone:hand_l
picture materials "$work/dressed/sample.bsm2" --clip wave --time 1.05 --panes outline,materials --run next-shading-model --select subset:4
picture collision "$work/prop.bsm" --panes outline,collision --run textures,collision-hulls,stored-bounds,computed-bounds
picture normals "$sample" --clip walk --time 0.3 --run normals-as-colours,normals,wireframe
picture uv "$sample" --panes outline,inspector,uv-layout --run checker --select subset:1
picture as-bsm2 "$work/character.glb" --clip walk --time 0.3 --run show-as-bsm2,split
picture compare "$sample" --clip walk --time 0.3 --compare "$work/rigid.bsm2" --panes outline,comparison --run side-by-side
picture animation "$sample" --clip walk --time 0.3 --panes outline,animation,curves --run onion-skin --select bone:forearm_l
picture gpu-check "$sample" --clip walk --time 0.3 --panes outline,gpu-check --run check-the-gpu-against-the-cpu
picture lists "$work/prop.bsm" --panes outline,findings,mesh-statistics --run textures,wireframe
picture out "$sample" --clip wave --time 1.05 --run save-turntable-or-clip
picture log "$work/character.glb" --panes outline,inspector,log
extra=", theme: HighContrast" picture high-contrast "$sample" --run bones --select bone:head
extra=", theme: Light, ui_scale: 1.3" picture light "$sample" --panes inspector
