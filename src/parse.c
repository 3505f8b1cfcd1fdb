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

static int parse_power_of_two(const char *text, size_t length, uint64_t *value)
{
    uint64_t exponent;

    if (length < 3 || text[0] != '2' || text[1] != '^' ||
        parse_digits(text + 2, length - 2, &exponent) != ERR_NONE || exponent > 63)
        return ERR_USAGE;
    *value = UINT64_C(1) << exponent;
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
    else if (log > 10 && (UINT64_C(1) << log) == value)
        snprintf(buffer, size, "2^%u", log);
    else
        snprintf(buffer, size, "%" PRIu64, value);
}
