"""Whether a published number and ours agree: one rule for each kind of number.

A rule gets the published text and our answer and returns a Judgement: agrees or not, a
statistic in words, and a p-value where chance is involved (docs: published/README.md).
Text that was rounded is an interval, and a difference counts from the interval's nearest
end, so that rounding alone is never a difference.
"""

import math
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

from report.ledger import ASSUMED, LedgerError
from report.significance import (one_sample, student_quantile, student_two_sided, two_samples)

LEVEL = 0.01            # a row differs by chance at most this often
MOST_DRAWS = 10000      # of a published median: its law is summed over all of them
CONFIDENCE = 0.95       # of the intervals that the program prints


@dataclass(frozen=True)
class Judgement:
    """`agrees` is None where nothing was judged, `shown` our value as text, `p` None where
    nothing was left to chance."""

    agrees: bool
    shown: str
    statistic: str
    p: float = None


@dataclass(frozen=True)
class Published:
    """A printed number: its value, and half a unit of its last digit."""

    value: Decimal
    half: Decimal
    percent: bool

    def clamp(self, ours):
        """The point of the rounding interval that is nearest to ours."""
        low, high = float(self.value - self.half), float(self.value + self.half)
        return min(max(ours, low), high)

    def show(self, ours, digits=6):
        """Our number in the unit that was published."""
        if self.percent:
            return f"{100 * ours:.{digits}g}%"
        return f"{ours:.{digits}g}"


def published(text):
    """A number as printed: 0.980, 89.7%, 2^-40."""
    power = re.fullmatch(r"2\^(-?\d+)", text)
    if power:
        return Published(Decimal(2) ** int(power[1]), Decimal(0), False)
    percent = text.endswith("%")
    try:
        value = Decimal(text.rstrip("%"))
    except InvalidOperation:
        raise LedgerError(f"'{text}' is not a number") from None
    half = Decimal(5).scaleb(value.as_tuple().exponent - 1)
    scale = Decimal("0.01") if percent else Decimal(1)
    return Published(value * scale, half * scale, percent)


def whole(text):
    """The number of trials at the start of the column `trials`: '50000', '5 seeds'."""
    found = re.match(r"\d+", text)
    return int(found[0]) if found else None


def number_of(answer, name="value"):
    value = answer.get(name)
    return None if value in (None, "-") else float(value)


def _cells(text):
    """The slots of a table as a list, however they are joined and a free one is marked."""
    return ["-" if cell == "." else cell for cell in re.split(r"[ +]+", text)]


def judge_exact(entry, answer):
    """The same text (or table, slot by slot), or the same number."""
    ours = answer["value"]
    if isinstance(ours, str) and _cells(ours) == _cells(entry.value):
        return Judgement(True, " ".join(_cells(ours)), "equal")
    try:
        equal = Decimal(str(ours)) == Decimal(entry.value)
    except InvalidOperation:
        equal = False
    shown = ours if isinstance(ours, str) else f"{ours:g}"
    return Judgement(equal, shown, "equal" if equal else "not equal")


def judge_digits(entry, answer):
    """Equal to every printed digit."""
    value = Decimal(entry.value)
    ours = Decimal(answer["value"])
    rounded = ours.quantize(value, rounding=ROUND_HALF_EVEN)
    places = -value.as_tuple().exponent
    return Judgement(rounded == value, answer["value"],
                     f"{'equal' if rounded == value else 'not equal'} to {places} places")


def _median_rank(sample, theirs, draws):
    """p-value of a published median of `draws` values against our sample, all alike.

    The median lies below our j-th value if most of the draws do; how many of them do follows
    the negative hypergeometric law (the precedence test: exact, whatever the distribution)."""
    if draws > MOST_DRAWS:
        raise LedgerError(f"a median of {draws} draws; {MOST_DRAWS} are allowed")
    ordered, n = sorted(sample), len(sample)
    most = draws // 2 + 1

    def below(j):               # Pr[median of the draws < our j-th value]
        if j > n:
            return 1.0
        ways = math.comb(n + draws, draws)
        return sum(math.comb(j - 1 + i, i) * math.comb(n - j + draws - i, draws - i)
                   for i in range(most, draws + 1)) / ways

    low, high = theirs
    left = below(1 + sum(value <= high for value in ordered))
    right = below(1 + sum(value >= low for value in ordered))     # by symmetry
    return min(1.0, 2 * min(left, right))


def judge_rounded(entry, answer):
    """Equal after the same rounding; a sampled value within both sides' error."""
    theirs = published(entry.value)
    if "sample" in answer:
        sample = sorted(answer["sample"])
        middle = sample[(len(sample) - 1) // 2]
        ends = (float(theirs.value - theirs.half), float(theirs.value + theirs.half))
        p = _median_rank(sample, ends, whole(entry.trials) or 1)
        return Judgement(p >= LEVEL, theirs.show(middle),
                         f"median of {len(sample)}, theirs of {entry.trials}", p)
    if "value" not in answer:               # ours is proved to lie between two bounds
        low, high = number_of(answer, "low"), number_of(answer, "high")
        nearest = theirs.clamp(low)
        return Judgement(low <= nearest <= high, f"{theirs.show(low)} to {theirs.show(high)}",
                         "between proved bounds" if low <= nearest <= high else "outside them")
    ours = number_of(answer)
    gap = abs(ours - theirs.clamp(ours))
    if "trials" in answer:                  # ours is a proportion, theirs has no trials
        trials = int(answer["trials"])
        count = int(answer["count"]) if "count" in answer else round(ours * trials)
        p = one_sample(count, trials, theirs.clamp(ours))
        return Judgement(p >= LEVEL, theirs.show(ours), f"{count} of {trials} of ours", p)
    if "ci" in answer:
        return _judge_mean(entry, answer, theirs, ours, gap)
    exact = gap <= 1e-12 * max(1.0, abs(ours))
    return Judgement(exact, theirs.show(ours), "equal as rounded" if exact else
                     f"off by {theirs.show(gap, 2)} beyond rounding")


def _judge_mean(entry, answer, theirs, ours, gap):
    """A mean over our fills against a mean over theirs: Student's t for a new mean."""
    fills = int(answer["fills"])
    half = number_of(answer, "ci")
    if fills < 2 or half is None or math.isinf(half):
        return Judgement(gap == 0, theirs.show(ours), "a single fill of ours")
    deviation = half * math.sqrt(fills) / student_quantile(1 - CONFIDENCE, fills - 1)
    scatter = deviation * math.sqrt(1 / fills + 1 / (whole(entry.trials) or 1))
    t = gap / scatter if scatter > 0 else (0.0 if gap == 0 else math.inf)
    p = student_two_sided(t, fills - 1) if math.isfinite(t) else 0.0
    return Judgement(p >= LEVEL, theirs.show(ours),
                     f"t = {t:.2f} beyond rounding, {fills} fills", p)


def _judge_counts(answer, counts, trials, note=""):
    """k of `trials` against ours; of the counts that the print allows, the nearest to ours."""
    if "count" in answer:
        ours, ours_of = int(answer["count"]), int(answer["trials"])
        expected = trials * ours / ours_of
    else:
        expected = trials * number_of(answer)
    low, high = counts
    k = min(max(round(expected), low), high)
    if "count" in answer:
        return Judgement((p := two_samples(k, trials, ours, ours_of)) >= LEVEL,
                         f"{ours} of {ours_of}", f"{k} of {trials}{note}", p)
    p = one_sample(k, trials, number_of(answer))
    return Judgement(p >= LEVEL, f"{expected:.4g} expected",
                     f"{k} of {trials}{note}, expected {expected:.4g}", p)


def judge_count(entry, answer):
    """A count of trials: exact binomial test, one sample or two."""
    k = int(entry.value)
    return _judge_counts(answer, (k, k), whole(entry.trials))


def judge_proportion(entry, answer):
    """A printed proportion of known trials: the counts that round to it."""
    theirs, trials = published(entry.value), whole(entry.trials)
    if trials is None:
        return judge_rounded(entry, answer)
    low = math.ceil(float((theirs.value - theirs.half) * trials) - 1e-9)
    high = math.floor(float((theirs.value + theirs.half) * trials) + 1e-9)
    if low > high:
        low = high = round(float(theirs.value * trials))
    found = _judge_counts(answer, (max(0, low), min(trials, high)), trials)
    if "count" in answer:
        return found
    return Judgement(found.agrees, theirs.show(number_of(answer)), found.statistic, found.p)


def judge_odds(entry, answer):
    """log2(good) - log2(bad) of known trials: the counts of bad ones that round to it."""
    theirs, trials = published(entry.value), whole(entry.trials)
    if trials is None:
        raise LedgerError(f"{entry.id}: odds need the number of trials")

    def bad(bits):
        return trials / (1 + 2.0 ** bits)
    low = math.ceil(bad(float(theirs.value + theirs.half)) - 1e-9)
    high = math.floor(bad(float(theirs.value - theirs.half)) + 1e-9)
    if low > high:
        low = high = round(bad(float(theirs.value)))
    q = int(answer["count"]) / int(answer["trials"]) if "count" in answer else number_of(answer)
    bits = math.log2((1 - q) / q) if 0 < q < 1 else math.inf
    note = " (trials assumed)" if ASSUMED in entry.trials else ""
    found = _judge_counts(answer, (low, high), trials, note)
    shown = f"{bits:.4f}"
    if "count" in answer:
        shown += f" ({found.shown})"
    return Judgement(found.agrees, shown, found.statistic, found.p)


def judge_bound(entry, answer):
    """A published inequality: whether ours satisfies it."""
    found = re.fullmatch(r"(<=|>=|<|>)(.+)", entry.value)
    if not found:
        raise LedgerError(f"{entry.id}: a bound starts with <= >= < or >")
    limit, ours = float(published(found[2]).value), number_of(answer)
    holds = {"<=": ours <= limit, ">=": ours >= limit, "<": ours < limit,
             ">": ours > limit}[found[1]]
    return Judgement(holds, published(found[2]).show(ours), "holds" if holds else "does not hold")


def judge_range(entry, answer):
    """A published range; both ends were rounded."""
    low, high = (published(text) for text in entry.value.split(".."))
    ours = number_of(answer)
    inside = float(low.value - low.half) <= ours <= float(high.value + high.half)
    return Judgement(inside, low.show(ours), "inside" if inside else "outside")


def judge_maximum(entry, answer):
    """A maximum of one fill: inside the spread of our fills' maxima."""
    theirs = float(published(entry.value).value)
    least, greatest, fills = (float(answer[name]) for name in ("least", "greatest", "fills"))
    inside = least <= theirs <= greatest
    shown = f"{least:.0f} to {greatest:.0f}"
    return Judgement(inside, shown, f"{'inside' if inside else 'outside'} {fills:.0f} fills, "
                     f"chance to be outside {2 / (fills + 1):.2f}")


def judge_beside(entry, answer):
    """A claim or a parameter: our number is shown beside it, and nothing is judged."""
    if entry.comparable == "yes":
        raise LedgerError(f"{entry.id}: a {entry.kind} cannot be compared by number")
    shown = " to ".join(f"{number_of(answer, name):.6g}" for name in ("low", "high", "value")
                        if name in answer)
    return Judgement(None, shown, "shown beside it")


RULES = {"exact": judge_exact, "digits": judge_digits, "rounded": judge_rounded,
         "count": judge_count, "proportion": judge_proportion, "odds": judge_odds,
         "bound": judge_bound, "range": judge_range, "maximum": judge_maximum,
         "claim": judge_beside, "context": judge_beside}


def chance_level(entry, judgement, answer):
    """How often this row would differ by chance alone, at most."""
    if entry.kind == "maximum":
        return 2 / (float(answer["fills"]) + 1)
    return LEVEL if judgement.p is not None else 0.0


def judge(entry, answer):
    """The judgement of an entry's kind; claims and context are not judged by number."""
    try:
        return RULES[entry.kind](entry, answer)
    except (KeyError, TypeError, ValueError, InvalidOperation) as problem:
        raise LedgerError(f"{entry.id}: cannot compare: {problem!r}") from None
