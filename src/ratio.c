/* ratio.c -- see ratio.h. */
#include "ratio.h"

/* value = q den + r, so value num / den = q num + r num / den, and r num < den num. */
uint64_t ratio_floor(struct ratio self, uint64_t value)
{
    return value / self.den * self.num + value % self.den * self.num / self.den;
}

uint64_t ratio_ceil(struct ratio self, uint64_t value)
{
    uint64_t rest = value % self.den * self.num;

    return value / self.den * self.num + rest / self.den + (rest % self.den > 0);
}

struct ratio ratio_reduce(struct ratio self)
{
    uint64_t a = self.num, b = self.den;

    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct ratio){self.num / a, self.den / a};
}

double ratio_value(struct ratio self)
{
    return (double)self.num / (double)self.den;
}
