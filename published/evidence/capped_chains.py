#!/usr/bin/env python3
"""How a cap on eviction chains adds failures where a placement exists.

Two positions a key in one table, which may coincide; the original insertion; a key whose
chain reaches the cap is left over.  Prints log2(good) - log2(bad) for stashes of 0 to 3, by
cap, on the same keys.  Near load 1/2 the chains are long and the cap decides; the exact law
(`./cuckoo_sim exact --keys N --slots M`) counts only missing placements.
"""

import argparse
import math
import random


def left_over(keys, slots, cap):
    """Keys left over when all `keys` (pairs of positions) are inserted under a cap."""
    table, lost = [None] * slots, 0
    for key in keys:
        here, kicks = key[0], 0
        while True:
            key, table[here] = table[here], key
            if key is None:
                break
            kicks += 1
            if kicks > cap:
                lost += 1
                break
            here = key[1] if here == key[0] else key[0]
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=4096)
    parser.add_argument("--slots", type=int, default=8192)
    parser.add_argument("--caps", default="50,100,200,800")
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    caps = [int(text) for text in options.caps.split(",")]
    stream = random.Random(options.seed)
    lost = {cap: [] for cap in caps}
    for _ in range(options.trials):
        keys = [(stream.randrange(options.slots), stream.randrange(options.slots))
                for _ in range(options.keys)]
        for cap in caps:
            lost[cap].append(left_over(keys, options.slots, cap))
    print("cap   stash 0  stash 1  stash 2  stash 3")
    for cap in caps:
        row = []
        for stash in range(4):
            bad = sum(count > stash for count in lost[cap])
            good = options.trials - bad
            row.append(f"{math.log2(good / bad):7.3f}" if bad and good else "      -")
        print(f"{cap:<4}  " + "  ".join(row))


if __name__ == "__main__":
    main()
