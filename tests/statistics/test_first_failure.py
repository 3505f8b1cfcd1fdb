"""e6 against `exact`: with one slot a bucket and two candidates, the complete search fails
first at a key whose law is known exactly, Pr[N >= n] = Pr[a placement of n keys exists]."""
import functools
import math

import simulator
from claims import holds

SLOTS, TRIALS = "512", 300


@functools.lru_cache(maxsize=None)
def success(keys):
    """Probability that `keys` keys have a placement in one table, positions may coincide."""
    row = simulator.rows("exact", "--keys", keys, "--slots", SLOTS, "--stash", "0")[0]
    return 1 - float(row["pr_overflow"])


def test_law_of_the_first_failure():
    """Kolmogorov and Smirnov's distance of the placed keys from their law; a step function,
    so the distance is less than for continuous values and the limit is on the safe side."""
    text = simulator.read_text(simulator.output("e6", "--slots", SLOTS, "--trials", TRIALS))
    placed = sorted(int(row["keys"]) for row in text["e6.fills"] if row["search"] == "complete"
                    and (row["candidates"], row["bucket"]) == ("2", "1"))
    assert len(placed) == TRIALS
    distance = 0.0
    for n in sorted(set(placed)):
        below = sum(x < n for x in placed) / TRIALS  # Pr[N < n] = 1 - success(n)
        distance = max(distance, abs(below - (1 - success(n))))
        upto = sum(x <= n for x in placed) / TRIALS  # Pr[N <= n] = 1 - success(n + 1)
        distance = max(distance, abs(upto - (1 - success(n + 1))))
    limit = math.sqrt(-math.log(1e-6 / 2) / (2 * TRIALS))  # 2 exp(-2 n d^2) = 1e-6
    holds("law of the first failure, (2,1), %s slots" % SLOTS,
          "exact law; Dvoretzky, Kiefer, Wolfowitz with Massart's constant", distance < limit,
          distance, limit)
    holds("and the samples are not suspiciously regular", "as above",
          distance > 0.2 / math.sqrt(TRIALS), distance)
