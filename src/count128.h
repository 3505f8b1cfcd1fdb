/* count128.h -- exact counts below 2^128, for numbers of interleavings.
 *
 * Two words, since 32-bit targets have no 128-bit integers.  A sum that does not fit is
 * marked and stays marked: count128_fits() is asked at the end. */
#ifndef CUCKOO_COUNT128_H
#define CUCKOO_COUNT128_H

#include <stddef.h>
#include <stdint.h>

#define COUNT128_DIGITS 40 /* characters of the largest, with the end of the string */

struct count128 {
    uint64_t high, low;
    int overflow;
};

static inline struct count128 count128_of(uint64_t value)
{
    return (struct count128){0, value, 0};
}

static inline struct count128 count128_add(struct count128 a, struct count128 b)
{
    struct count128 sum = {a.high + b.high, a.low + b.low, a.overflow | b.overflow};

    sum.overflow |= sum.high < a.high;
    if (sum.low < a.low) {
        sum.high++;
        sum.overflow |= sum.high == 0;
    }
    return sum;
}

static inline int count128_fits(struct count128 a)
{
    return !a.overflow;
}

static inline int count128_is_zero(struct count128 a)
{
    return a.high == 0 && a.low == 0 && !a.overflow;
}

static inline double count128_real(struct count128 a)
{
    return (double)a.high * 18446744073709551616.0 + (double)a.low;
}

/* The decimal digits, into text[COUNT128_DIGITS]: long division by 10, 32 bits a time. */
static inline void count128_print(struct count128 a, char *text)
{
    char reversed[COUNT128_DIGITS];
    size_t n = 0;
    uint32_t part[4] = {(uint32_t)(a.high >> 32), (uint32_t)a.high, (uint32_t)(a.low >> 32),
                        (uint32_t)a.low};

    do {
        uint64_t rest = 0;
        for (int i = 0; i < 4; i++) {
            rest = rest << 32 | part[i];
            part[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        reversed[n++] = (char)('0' + rest);
    } while ((part[0] | part[1] | part[2] | part[3]) != 0);
    for (size_t i = 0; i < n; i++)
        text[i] = reversed[n - 1 - i];
    text[n] = '\0';
}

#endif
