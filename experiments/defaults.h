/* defaults.h -- how much e2 to e7 run where --trials and --slots say nothing: sizes, fills,
 * seeds and trials, in one place.  Changing one changes results.txt. */
#ifndef CUCKOO_EXPERIMENTS_DEFAULTS_H
#define CUCKOO_EXPERIMENTS_DEFAULTS_H

#include <stdint.h>

#define E2_SLOTS (UINT64_C(1) << 20)
#define E2_FILLS 24

#define E3_LOG_LEAST  10 /* slots from 2^10 ... */
#define E3_LOG_MOST   24 /* ... to 2^24 */
#define E3_FILLS_MOST 32

/* A row of e4 or e5 draws so many keys in all, where nothing else is said. */
#define KEYS_A_ROW        UINT64_C(200000000)
#define TRIALS_LEAST      1000
#define E4_TRIALS_ARTICLE 50000  /* the article's at m = 20000, eps = 0.2 and 0.1 */
#define E5_TRIALS_ARTICLE 100000 /* the article's at n = 10000 */

#define E6_SLOTS (UINT64_C(1) << 18)
#define E6_SEEDS 50
/* of e6.windows, and at its largest size */
#define E6_WINDOW_SEEDS       25
#define E6_WINDOW_SEEDS_LARGE 11

#define E7_SLOTS (UINT64_C(1) << 20)
#define E7_FILLS 32

#endif
