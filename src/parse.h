/* parse.h -- the one syntax of numbers on the command line.  All functions read the
 * whole word or refuse it with ERR_USAGE; nothing is clamped and nothing overflows. */
#ifndef CUCKOO_PARSE_H
#define CUCKOO_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "ratio.h"

/* A whole number in [min, max]: 1000, 1e6, 1.5e6 (if it is whole), 2^20, 2^20-1. */
int parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* Numbers and ranges: 2,3,8 or 2:8 or 2:8:2 or a mixture; at most `capacity` of them. */
int parse_list(const char *text, uint64_t min, uint64_t max, uint64_t *value, size_t capacity,
               size_t *count);

/* A sum 1200+1000 of at most `capacity` parts; a single number is one part. */
int parse_sum(const char *text, uint64_t min, uint64_t max, uint64_t *part, size_t capacity,
              size_t *parts);

/* A probability strictly between 0 and 1, as log2: 2^-40, 1e-12, 0.001. */
int parse_probability_log2(const char *text, double *value_log2);

/* A fraction with 0 <= num, 1 <= den <= 10^9, num < 2^32 and no common factor, exactly as
 * written: 0.95, 1.27, 19/20, 2. */
int parse_ratio(const char *text, struct ratio *value);

/* A list's words one by one, for options of any kind: comma-separated words; a range of
 * whole numbers 2:8 or 2:8:2 (steps of 1) or of decimals 0.90:0.99:0.01, ends included,
 * becomes its numbers.  A comma before a digit belongs to the word where `tail` says so
 * (bfs:2000,4).  *words are `count` strings in one allocation, freed with free(*words).
 * ERR_USAGE: not this syntax, or more than `limit` words; ERR_MEMORY. */
int parse_words(const char *text, int tail, size_t limit, char ***words, size_t *count);

/* A size as people write it: 2^20 for a power of two above 2^10, else the digits. */
void parse_print_size(char *buffer, size_t size, uint64_t value);

#endif
