/* parse.c -- see parse.h. */
#include "parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64 /* longer words are no numbers */

/* Digits only, up to 2^64-1. */
static int parse_digits(const char *text, size_t length, uint64_t *value)
{
    uint64_t sum = 0;

    if (length == 0)
        return ERR_USAGE;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            return ERR_USAGE;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return ERR_USAGE;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return ERR_NONE;
}

/* 2^20, and 2^63-1 as limits are printed. */
static int parse_power_of_two(const char *text, size_t length, uint64_t *value)
{
    uint64_t exponent;
    unsigned less = length > 4 && text[length - 2] == '-' && text[length - 1] == '1';

    length -= 2 * less;
    if (length < 3 || text[0] != '2' || text[1] != '^' ||
        parse_digits(text + 2, length - 2, &exponent) != ERR_NONE || exponent > 63 + less)
        return ERR_USAGE;
    *value = (exponent < 64 ? UINT64_C(1) << exponent : 0) - less;
    return ERR_NONE;
}

/* 1e6, 1.5e6: digits, perhaps a point and digits, an exponent that makes it whole. */
static int parse_scientific(const char *text, size_t length, uint64_t *value)
{
    const char *e = memchr(text, 'e', length);
    const char *point = memchr(text, '.', length);
    uint64_t exponent, mantissa;
    char digits[WORD_MAX];
    size_t n = 0, decimals = 0;

    if (e == NULL || parse_digits(e + 1, length - (size_t)(e - text) - 1, &exponent) != ERR_NONE)
        return ERR_USAGE;
    for (const char *c = text; c < e; c++) {
        if (c == point)
            continue;
        decimals += point != NULL && c > point;
        digits[n++] = *c;
    }
    if (point == text || (point != NULL && decimals == 0) || exponent < decimals ||
        parse_digits(digits, n, &mantissa) != ERR_NONE)
        return ERR_USAGE;
    for (exponent -= decimals; exponent > 0 && mantissa > 0; exponent--) {
        if (mantissa > UINT64_MAX / 10)
            return ERR_USAGE;
        mantissa *= 10;
    }
    *value = mantissa;
    return ERR_NONE;
}

static int parse_size_span(const char *text, size_t length, uint64_t min, uint64_t max,
                           uint64_t *value)
{
    uint64_t number;

    if (length >= WORD_MAX)
        return ERR_USAGE;
    if (parse_digits(text, length, &number) != ERR_NONE &&
        parse_power_of_two(text, length, &number) != ERR_NONE &&
        parse_scientific(text, length, &number) != ERR_NONE)
        return ERR_USAGE;
    if (number < min || number > max)
        return ERR_USAGE;
    *value = number;
    return ERR_NONE;
}

int parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    return parse_size_span(text, strlen(text), min, max, value);
}

/* One item of a list, a number or first:last or first:last:step. */
static int parse_range(const char *text, size_t length, uint64_t min, uint64_t max, uint64_t *value,
                       size_t capacity, size_t *count)
{
    uint64_t part[3] = {0, 0, 1};
    size_t parts = 0;
    const char *end = text + length;

    for (const char *start = text; parts < 3;) {
        const char *colon = memchr(start, ':', (size_t)(end - start));
        size_t span = (size_t)((colon != NULL ? colon : end) - start);
        if (parse_size_span(start, span, parts < 2 ? min : 1, max, &part[parts]) != ERR_NONE)
            return ERR_USAGE;
        parts++;
        if (colon == NULL)
            break;
        if (parts == 3)
            return ERR_USAGE;
        start = colon + 1;
    }
    if (parts == 1)
        part[1] = part[0];
    if (part[1] < part[0] || (part[1] - part[0]) / part[2] >= capacity - *count)
        return ERR_USAGE;
    for (uint64_t i = 0; i <= (part[1] - part[0]) / part[2]; i++)
        value[(*count)++] = part[0] + i * part[2];
    return ERR_NONE;
}

int parse_list(const char *text, uint64_t min, uint64_t max, uint64_t *value, size_t capacity,
               size_t *count)
{
    *count = 0;
    for (const char *start = text;;) {
        size_t length = strcspn(start, ",");
        if (*count >= capacity ||
            parse_range(start, length, min, max, value, capacity, count) != ERR_NONE)
            return ERR_USAGE;
        if (start[length] == '\0')
            return ERR_NONE;
        start += length + 1;
    }
}

int parse_sum(const char *text, uint64_t min, uint64_t max, uint64_t *part, size_t capacity,
              size_t *parts)
{
    *parts = 0;
    for (const char *start = text;;) {
        size_t length = strcspn(start, "+");
        if (*parts >= capacity ||
            parse_size_span(start, length, min, max, &part[*parts]) != ERR_NONE)
            return ERR_USAGE;
        (*parts)++;
        if (start[length] == '\0')
            return ERR_NONE;
        start += length + 1;
    }
}

int parse_probability_log2(const char *text, double *value_log2)
{
    uint64_t exponent;
    char *end;

    if (strncmp(text, "2^-", 3) == 0) {
        if (parse_size(text + 3, 1, 1000000, &exponent) != ERR_NONE)
            return ERR_USAGE;
        *value_log2 = -(double)exponent;
        return ERR_NONE;
    }
    /* strtod also reads hexadecimal, "inf" and leading blanks, which are no part of the syntax */
    if (strlen(text) >= WORD_MAX || strspn(text, "0123456789.e-") != strlen(text) ||
        !isdigit((unsigned char)text[0]))
        return ERR_USAGE;
    double value = strtod(text, &end);
    if (*end != '\0' || !(value > 0.0 && value < 1.0))
        return ERR_USAGE;
    *value_log2 = log2(value);
    return ERR_NONE;
}

void parse_print_size(char *buffer, size_t size, uint64_t value)
{
    unsigned log = 0;

    while (log < 63 && (UINT64_C(1) << log) < value)
        log++;
    if (value == UINT64_MAX)
        snprintf(buffer, size, "2^64-1");
    else if (value == UINT64_MAX / 2)
        snprintf(buffer, size, "2^63-1");
    else if (log > 10 && (UINT64_C(1) << log) == value)
        snprintf(buffer, size, "2^%u", log);
    else
        snprintf(buffer, size, "%" PRIu64, value);
}

/* 1.25 as 125 and two decimals. */
static int parse_decimal(const char *text, size_t length, uint64_t *digits, unsigned *decimals)
{
    const char *point = memchr(text, '.', length);
    char kept[WORD_MAX];
    size_t n = 0;

    if (length == 0 || length >= WORD_MAX || text[0] == '.' || text[length - 1] == '.')
        return ERR_USAGE;
    for (size_t i = 0; i < length; i++)
        if (text + i != point)
            kept[n++] = text[i];
    *decimals = point != NULL ? (unsigned)(text + length - point - 1) : 0;
    return *decimals <= 9 ? parse_digits(kept, n, digits) : ERR_USAGE;
}

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;

    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

int parse_ratio(const char *text, struct ratio *value)
{
    const char *slash = strchr(text, '/');
    struct ratio ratio = {0, 1};
    unsigned decimals = 0;

    if (slash != NULL) {
        if (parse_digits(text, (size_t)(slash - text), &ratio.num) != ERR_NONE ||
            parse_digits(slash + 1, strlen(slash + 1), &ratio.den) != ERR_NONE)
            return ERR_USAGE;
    } else {
        if (parse_decimal(text, strlen(text), &ratio.num, &decimals) != ERR_NONE)
            return ERR_USAGE;
        ratio.den = power_of_ten(decimals);
    }
    if (ratio.den == 0)
        return ERR_USAGE;
    ratio = ratio_reduce(ratio);
    if (ratio.num > UINT32_MAX || ratio.den > 1000000000)
        return ERR_USAGE;
    *value = ratio;
    return ERR_NONE;
}

/* One number of a range: a decimal, or a size (2^10) as a decimal without a point. */
static int parse_bound(const char *text, size_t length, uint64_t *digits, unsigned *decimals)
{
    *decimals = 0;
    if (parse_size_span(text, length, 0, UINT64_MAX / 2, digits) == ERR_NONE)
        return ERR_NONE;
    return parse_decimal(text, length, digits, decimals);
}

struct range {
    uint64_t part[3]; /* first, last, step, all times 10^decimals */
    unsigned decimals;
};

/* first:last[:step]; ERR_USAGE where it is no range. */
static int read_range(const char *text, size_t length, struct range *range)
{
    unsigned decimals[3] = {0, 0, 0}, parts = 0;
    const char *end = text + length;

    *range = (struct range){{0, 0, 1}, 0};
    for (const char *start = text;; parts++) {
        const char *colon = memchr(start, ':', (size_t)(end - start));
        size_t span = (size_t)((colon != NULL ? colon : end) - start);
        if (parts == 3 ||
            parse_bound(start, span, &range->part[parts], &decimals[parts]) != ERR_NONE)
            return ERR_USAGE;
        if (decimals[parts] > range->decimals)
            range->decimals = decimals[parts];
        if (colon == NULL)
            break;
        start = colon + 1;
    }
    for (unsigned i = 0; i < 3; i++) {
        uint64_t scale = power_of_ten(range->decimals - decimals[i]);
        if (range->part[i] > UINT64_MAX / 2 / scale)
            return ERR_USAGE;
        range->part[i] *= scale;
    }
    /* decimals need a step of their own: 0.90:0.99 does not say it */
    if (parts < 1 || (parts < 2 && range->decimals > 0) || range->part[2] == 0 ||
        range->part[1] < range->part[0])
        return ERR_USAGE;
    return ERR_NONE;
}

struct words {
    char *text; /* NULL while only the room is measured */
    char **word;
    size_t count, length;
};

static void add_word(struct words *self, const char *text, size_t length)
{
    if (self->text != NULL) {
        self->word[self->count] = self->text + self->length;
        memcpy(self->word[self->count], text, length);
        self->word[self->count][length] = '\0';
    }
    self->count++;
    self->length += length + 1;
}

static int add_range(struct words *self, const struct range *range, size_t limit)
{
    uint64_t scale = power_of_ten(range->decimals);

    if ((range->part[1] - range->part[0]) / range->part[2] >= limit)
        return ERR_USAGE;
    for (uint64_t v = range->part[0]; v <= range->part[1]; v += range->part[2]) {
        char word[WORD_MAX];
        int length = range->decimals == 0 ? snprintf(word, sizeof word, "%" PRIu64, v)
                                          : snprintf(word, sizeof word, "%" PRIu64 ".%0*" PRIu64,
                                                     v / scale, (int)range->decimals, v % scale);
        add_word(self, word, (size_t)length);
    }
    return ERR_NONE;
}

static int split_words(const char *text, int tail, size_t limit, struct words *self)
{
    self->count = self->length = 0;
    for (const char *start = text;;) {
        struct range range;
        size_t length = strcspn(start, ",");
        while (tail && start[length] == ',' && isdigit((unsigned char)start[length + 1]))
            length += 1 + strcspn(start + length + 1, ",");
        if (length == 0)
            return ERR_USAGE;
        if (read_range(start, length, &range) != ERR_NONE)
            add_word(self, start, length);
        else if (add_range(self, &range, limit) != ERR_NONE)
            return ERR_USAGE;
        if (self->count > limit)
            return ERR_USAGE;
        if (start[length] == '\0')
            return ERR_NONE;
        start += length + 1;
    }
}

int parse_words(const char *text, int tail, size_t limit, char ***words, size_t *count)
{
    struct words room = {0}, filled = {0};

    *words = NULL;
    *count = 0;
    if (split_words(text, tail, limit, &room) != ERR_NONE)
        return ERR_USAGE;
    char **block = malloc(room.count * sizeof *block + room.length);
    if (block == NULL)
        return ERR_MEMORY;
    filled.word = block;
    filled.text = (char *)(block + room.count);
    split_words(text, tail, limit, &filled);
    *words = block;
    *count = filled.count;
    return ERR_NONE;
}
