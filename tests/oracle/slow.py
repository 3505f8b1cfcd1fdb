"""The definitions once more, in plain Python, for the rows that the program prints: one
thread, lists instead of bits, fractions instead of doubles.  Independent of src/."""
import math
from fractions import Fraction

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15
KEYS, HASH, SEARCH = 1, 2, 3  # what a stream is used for


def mix(z):
    """splitmix64's finalizer."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


class Stream:
    """splitmix64 from a key that is folded from words."""

    def __init__(self, words):
        self.state = GAMMA
        for i, word in enumerate(words):
            self.state = mix(self.state ^ mix((word + (i + 1) * GAMMA) % WORD))

    def next(self):
        self.state = (self.state + GAMMA) % WORD
        return mix(self.state)

    def choose(self, n):
        """Uniform in [0, n) by rejection; a choice among one thing takes no number."""
        while n > 1:
            product = (self.next() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32
        return 0


class Trial:
    """A table of whole buckets with the hash functions, keys and choices of a trial."""

    def __init__(self, d, k, split, slots, seed, trial, keys=0):
        self.d, self.k, self.split = d, k, split
        self.width = slots // (d if split else 1) // k
        self.buckets = self.width * (d if split else 1)
        self.slots = self.buckets * k
        words = [seed, d, k, int(split), 0, self.buckets, keys, trial]
        functions = Stream(words + [HASH])
        self.seeds = [functions.next() for _ in range((d + 1) // 2)]
        self.keys = Stream(words + [KEYS])
        self.search = Stream(words + [SEARCH])
        self.bucket = [[] for _ in range(self.buckets)]

    def candidates(self, key):
        found = []
        for j in range(self.d):
            value = mix(key ^ self.seeds[j // 2])
            half = value >> 32 if j % 2 == 0 else value % 2**32
            found.append((half * self.width >> 32) + (j * self.width if self.split else 0))
        return found

    def full(self, bucket):
        return len(self.bucket[bucket]) == self.k


class Cost:
    """What an insertion took."""

    def __init__(self):
        self.kicks = self.moves = self.read = 0
        self.written = []  # (bucket, slot)

    def lines(self, k):
        return len({(bucket * k + slot) // 8 for bucket, slot in self.written})


def put(table, bucket, key, cost, slot=None):
    """Into a free slot, or in the place of the resident of `slot`, which is returned."""
    resident = None
    if slot is None:
        slot = len(table.bucket[bucket])
        table.bucket[bucket].append(key)
    else:
        resident = table.bucket[bucket][slot]
        table.bucket[bucket][slot] = key
    cost.written.append((bucket, slot))
    return resident


def walk(table, key, limit=500):
    """(placed, cost): a free slot in any candidate, else evict at random and go on."""
    cost, came_from = Cost(), None
    while True:
        buckets = [b for b in table.candidates(key) if b != came_from] or [came_from]
        for bucket in buckets:
            cost.read += 1
            if not table.full(bucket):
                put(table, bucket, key, cost)
                return True, cost
        if cost.kicks == limit:
            return False, cost
        came_from = buckets[table.search.choose(len(buckets))]
        key = put(table, came_from, key, cost, table.search.choose(table.k))
        cost.kicks += 1


def original(table, key, limit=500):
    """Into the first candidate, evicting; the evicted key into its other one, and so on."""
    cost, bucket = Cost(), table.candidates(key)[0]
    while True:
        cost.read += 1
        if not table.full(bucket):
            put(table, bucket, key, cost)
            return True, cost
        if cost.kicks == limit:
            return False, cost
        key = put(table, bucket, key, cost, table.search.choose(table.k))
        cost.kicks += 1
        first, second = table.candidates(key)
        bucket = second if first == bucket else first


def breadth(table, key, max_slots=math.inf, max_moves=math.inf):
    """The nearest free slot, buckets read once each and candidates in order."""
    cost, seen = Cost(), set()
    queue = []  # paths: ((bucket, slot), ..., (bucket, None))

    def look(path, candidates):
        """The path to a free slot; None: go on; False: a limit."""
        for bucket in candidates:
            if bucket in seen:
                continue
            if (cost.read + 1) * table.k > max_slots:
                return False
            seen.add(bucket)
            cost.read += 1
            if not table.full(bucket):
                return path + [(bucket, None)]
            queue.append(path + [(bucket, None)])
        return None

    found = look([], table.candidates(key))
    while found is None and queue:
        path = queue.pop(0)
        if len(path) - 1 >= max_moves:
            return False, cost
        bucket = path[-1][0]
        for slot in range(table.k):
            found = look(path[:-1] + [(bucket, slot)],
                         table.candidates(table.bucket[bucket][slot]))
            if found is not None:
                break
    if not found:
        return False, cost
    hole = None
    for (bucket, slot), (target, _) in zip(reversed(found[:-1]), reversed(found[1:])):
        put(table, target, table.bucket[bucket][slot], cost, hole)
        cost.moves += 1
        hole = slot
    put(table, found[0][0], key, cost, hole)
    return True, cost


def hit(table, key):
    """(slots compared, lines touched): whole buckets up to the first that holds the key."""
    slots, lines = 0, set()
    for bucket in table.candidates(key):
        slots += table.k
        lines |= {(bucket * table.k + slot) // 8 for slot in range(table.k)}
        if key in table.bucket[bucket]:
            return slots, len(lines)
    raise AssertionError("a stored key is not found")


def mean_lines(table):
    """Mean lines of all candidates of a random key."""
    chance = {}
    for j in range(table.d):
        base = j * table.width if table.split else 0
        for bucket in range(base, base + table.width):
            for line in {(bucket * table.k + slot) // 8 for slot in range(table.k)}:
                chance.setdefault(line, [0] * table.d)[j] += Fraction(1, table.width)
    total = Fraction(0)
    for each in chance.values():
        untouched = Fraction(1)
        for p in each:
            untouched *= 1 - p
        total += 1 - untouched
    return total


class Probing:
    """Linear probing or Robin Hood, literally: slot -> (home, key) or None."""

    def __init__(self, slots, robin_hood, seed, trial):
        self.trial = Trial(1, 1, False, slots, seed, trial)
        self.slots, self.robin_hood = slots, robin_hood
        self.home = [None] * slots

    def insert(self):
        home = self.trial.candidates(self.trial.keys.next())[0]
        slot = home
        while self.home[slot] is not None:
            resident = self.home[slot]
            if self.robin_hood and (slot - resident) % self.slots < (slot - home) % self.slots:
                self.home[slot], home = home, resident
            slot = (slot + 1) % self.slots
        self.home[slot] = home

    def lines(self, start, count):
        return len({(start + i) % self.slots // 8 for i in range(count)})

    def hits(self):
        """(slots compared, lines touched) of every key."""
        costs = [(home, (slot - home) % self.slots + 1)
                 for slot, home in enumerate(self.home) if home is not None]
        return [(count, self.lines(home, count)) for home, count in costs]

    def misses(self):
        found = []
        for home in range(self.slots):
            probe = 0
            while True:
                slot = (home + probe) % self.slots
                resident = self.home[slot]
                probe += 1
                if resident is None or \
                        self.robin_hood and (slot - resident) % self.slots < probe - 1:
                    break
            found.append((probe, self.lines(home, probe)))
        return found


def excess(edges, vertices):
    """S = sum over components of max(0, edges - vertices), by a search through each."""
    at = [[] for _ in range(vertices)]
    for a, b in edges:
        at[a].append(b)
        at[b].append(a)
    seen, total = set(), 0
    for start in range(vertices):
        if start in seen:
            continue
        seen.add(start)
        component, open_vertices = {start}, [start]
        while open_vertices:
            for other in at[open_vertices.pop()]:
                if other not in component:
                    component.add(other)
                    open_vertices.append(other)
        seen |= component
        inside = sum(1 for a, _ in edges if a in component)
        total += max(0, inside - len(component))
    return total


# --- summaries ----------------------------------------------------------------------------


def percentile(values, p):
    """Nearest rank; p a Fraction."""
    return sorted(values)[max(1, math.ceil(p * len(values))) - 1]


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def median_interval(values):
    """Order statistics: the narrowest symmetric ranks that hold the median with 95%."""
    n, best = len(values), (1, len(values))
    for low in range(1, (n + 1) // 2 + 1):
        high = n + 1 - low
        if sum(math.comb(n, i) for i in range(low, high)) * 100 >= 95 * 2**n and low < high:
            best = (low, high)
    return sorted(values)[best[0] - 1], sorted(values)[best[1] - 1]


def student_half_width(values):
    """95%, three values only: with two degrees of freedom the quantile has a closed form."""
    assert len(values) == 3
    mean = sum(values) / 3
    variance = sum((value - mean)**2 for value in values) / 2
    return 0.95 / math.sqrt(2 * 0.975 * 0.025) * math.sqrt(variance / 3)


def binomial_at_most(k, n, p):
    """Pr[X <= k] by the sum of exact terms in doubles; small n only."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k + 1))


def clopper_pearson(k, n):
    """95%, by halving the bracket."""
    def solve(good):
        low, high = 0.0, 1.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if good(middle) else (low, middle)
        return low

    lower = 0.0 if k == 0 else solve(lambda p: 1 - binomial_at_most(k - 1, n, p) < 0.025)
    upper = 1.0 if k == n else solve(lambda p: binomial_at_most(k, n, p) > 0.025)
    return lower, upper


def knuth(slots, keys):
    """Linear probing, means of hit and miss: (1 + Q0(m, n-1)) / 2 and (1 + Q1(m, n)) / 2."""
    def q(r, n):
        total, term = Fraction(0), Fraction(1)
        for k in range(n + 1):
            total += math.comb(k + r, k) * term
            term *= Fraction(n - k, slots)
        return total

    return (1 + q(0, keys - 1)) / 2, (1 + q(1, keys)) / 2


def threshold(d, k):
    """Orientability threshold as a load, from its fixed-point equation, by halving."""
    if (d, k) == (2, 1):
        return 0.5

    def at_least(level, b):
        return 1 - math.fsum(math.exp(-b) * b**i / math.factorial(i) for i in range(level))

    low, high = 1e-3, 200.0
    for _ in range(200):
        b = (low + high) / 2
        if b * at_least(k, b) < d * k * at_least(k + 1, b):
            low = b
        else:
            high = b
    return low / (d * at_least(k, low)**(d - 1)) / k
