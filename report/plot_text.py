"""Words for numbers that the plots and the report share; nothing of matplotlib."""

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def size_name(slots):
    """2²⁰ for a power of two, 262,143 for another size."""
    exponent = slots.bit_length() - 1
    if slots == 1 << exponent:
        return "2" + str(exponent).translate(SUPERSCRIPT)
    return f"{slots:,}"


def segments_of(rows):
    """The load segments of e7 that lie in no larger one, in order."""
    segments = list(dict.fromkeys((row.number("load_from"), row.number("load_to")) for row in rows))
    return [s for s in segments if not any(t != s and t[0] <= s[0] and s[1] <= t[1]
                                           for t in segments)]
