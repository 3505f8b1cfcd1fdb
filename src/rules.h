/* rules.h -- production rules: what libraries do, with which parameters, and where that was
 * read.  One table (rules.c); facts and parameters are theirs, the code here is our own. */
#ifndef CUCKOO_RULES_H
#define CUCKOO_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "insert.h"
#include "scheme.h"

/* How a limit grows with the table. */
enum rule_cap {
    RULE_CAP_FIXED = 0,
    RULE_CAP_7_LG,  /* max_kicks = floor(7 lg slots) */
    RULE_CAP_CUDPP, /* max_kicks by CUDPP's empirical formula at the promised load */
};

struct production_rule {
    const char *name;
    unsigned d, k;
    enum positions positions;
    struct derive derive; /* DERIVE_NONE: independent candidates */
    struct insert_rule insert;
    enum rule_cap cap;
    const char *budget; /* what the limit counts, one word group without spaces */
    /* Share of the slots that the library says it can fill, or grows at, as promise / 10000;
     * 0: none stated. */
    unsigned promise;
    const char *source; /* file and version, without spaces */
    unsigned window;    /* slots of a window, d windows, k = 1; 0: buckets */
};

extern const struct production_rule rules[];
extern const size_t n_rules;

const struct production_rule *rules_find(const char *name);

/* The limits alone, for a table of `slots` of any shape. */
struct insert_rule rules_limits(const struct production_rule *self, uint64_t slots);

/* The scheme and the limits of a rule for a table of `slots`.  ERR_DOMAIN as scheme_init and
 * scheme_use_derive: xor needs a power of two of buckets. */
int rules_make(const struct production_rule *self, uint64_t slots, struct scheme *scheme,
               struct insert_rule *insert);

#endif
