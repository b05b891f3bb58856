# Renders frames of the first clip of a file with libf3d, one image per frame: scripts/libf3d.py FILE OUT.png NUMBER
# Run by peers.sh, which fetches libf3d; it isn't part of this project.
import sys

import f3d

file, out, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
f3d.Engine.autoload_plugins()
engine = f3d.Engine.create(True)
engine.window.size = 1000, 600
engine.scene.add(file)
first, last = engine.scene.animation.get_time_range()
for frame in range(number):
    engine.scene.animation.load_time(first + (last - first) * frame / number)
    engine.window.render_to_image().save(out)
