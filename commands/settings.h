/* settings.h -- from --keys --slots --layout --positions to what the exact answers take. */
#ifndef CUCKOO_SETTINGS_H
#define CUCKOO_SETTINGS_H

#include "../src/bound.h"
#include "../src/exact.h"
#include "../src/options.h"

/* The layout that the options name, for d = 2, k = 1; keys and slots are not set. */
enum exact_layout settings_layout(const struct options *options);

/* `slots` over all tables (or options' two unequal tables, where slots is 0) and keys, for
 * d = 2, k = 1.  ERR_USAGE with a line for an odd total over two tables, one slot with
 * distinct positions, or what is beyond 2^40. */
int settings_exact(const struct options *options, const char *command, uint64_t keys,
                   uint64_t slots, struct exact_setting *setting, struct error *err);

/* `slots` over all tables, floor(slots/k) buckets in use, for any d and k; ERR_USAGE with a
 * line for unequal tables, tables that do not come out equal, too few buckets. */
int settings_bound(const struct options *options, const char *command, unsigned d, unsigned k,
                   uint64_t slots, struct bound_setting *setting, struct error *err);

/* "repeat", "distinct" or "split" */
const char *settings_positions_name(enum bound_positions positions);

/* -log2 of a probability in hundredths of a bit, from its natural logarithm: rounded down
 * (an upper bound on the probability stays one) or up.  INFINITY for probability 0. */
double settings_bits_down(double log_probability);
double settings_bits_up(double log_probability);

/* Write layout, positions ("-" for split tables) and m, the slots of each table (1200, or
 * 1200+1000), as words. */
void settings_words(struct out *out, const struct exact_setting *setting);

#endif
