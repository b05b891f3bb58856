"""Copies a few small inputs that reach most of the code: fuzz-seeds.py CONTROL FOLDER BYTES

CONTROL is the file that libFuzzer's `-merge_control_file` leaves: the inputs, and the features that each one reaches.
Those with the most new features per byte are copied to FOLDER, as many as fit into BYTES.
"""

import heapq
import shutil
import sys
from pathlib import Path

# Cost of an input in addition to its bytes, so that one input is better than two of half the size.
PER_INPUT = 150


def main(control, folder, max_bytes):
    lines = Path(control).read_text().splitlines()
    num = int(lines[0])
    inputs = [Path(line) for line in lines[2 : 2 + num]]
    features = {}
    for line in lines[2 + num :]:
        kind, *numbers = line.split()
        if kind == "FT":
            features[int(numbers[0])] = set(map(int, numbers[1:]))
    sizes = {at: inputs[at].stat().st_size for at in features}
    reached, num_bytes, num_chosen = set(), 0, 0
    worth = lambda at: len(features[at] - reached) / (sizes[at] + PER_INPUT)
    queue = [(-worth(at), at) for at in features]
    heapq.heapify(queue)
    while queue:
        _, at = heapq.heappop(queue)
        # Inputs chosen since may have reduced its value.
        now = -worth(at)
        if queue and now > queue[0][0]:
            heapq.heappush(queue, (now, at))
        elif now < 0 and num_bytes + sizes[at] <= max_bytes:
            reached |= features[at]
            num_bytes += sizes[at]
            num_chosen += 1
            shutil.copy(inputs[at], folder)
    possible = len(set().union(*features.values()))
    print(f"{num_chosen} inputs, {num_bytes:,} bytes, {len(reached):,} of {possible:,} features")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
