"""Lists the contents and motion of a file, and writes it as glTF with an image.

    python look_at_a_character.py FILE [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import rigscope


def main(path: Path, folder: Path) -> None:
    model = rigscope.open(path)
    print(model)
    for note in model.validate():
        print(f"  {note.severity}: {note.message} at {note.place}")

    # Arrays are views of the memory of the library, without copies.
    for mesh in model.meshes:
        weights = mesh.joints_and_weights[1]
        num_influences = (weights > 0).sum(axis=1)
        print(f"{mesh}: {num_influences.max(initial=0)} influences at most")

    # The vertex that moves farthest from its start, in every clip.
    for clip in model.clips:
        times = np.linspace(clip.start, clip.start + clip.duration, 16)
        moments = [np.concatenate([m.positions for m in model.pose(clip.index, t)]) for t in times]
        way = np.linalg.norm(np.stack(moments) - moments[0], axis=2)
        if way.size:
            moment, vertex = np.unravel_index(way.argmax(), way.shape)
            print(f"{clip}: vertex {vertex} is {way.max():.3f} away at {times[moment]:.2f} s")

    made = rigscope.convert(model, folder / f"{path.stem}.glb", overwrite=True)
    print(f"{made.paths[-1]}: {made.summary}")
    for loss in made.losses:
        print(f"  lost: {loss}")

    try:
        picture = rigscope.render(model, size=(640, 480))
    except rigscope.errors.RenderError as error:
        print(f"no image: {error}")
    else:
        print(f"a picture of {picture.shape[1]} x {picture.shape[0]}, {picture.mean():.0f} bright")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "."))
