/* filter.h -- the cuckoo filter: fingerprints instead of keys.
 *
 * An item's 64-bit hash gives a first bucket (high half) and a fingerprint, or tag, of f
 * bits (low bits; 0 marks a free slot, so 0 becomes 1 and tag 1 is twice as likely as any
 * other).  The second bucket is the first one xor hash(tag), which works both ways and
 * needs a power of two of buckets.
 * Fan, Andersen, Kaminsky, Mitzenmacher, Cuckoo Filter, CoNEXT 2014, algorithms 1 to 3; the
 * victim cache and the rule for tag 0 are those of the authors' own implementation.
 *
 * The counting variant keeps a counter beside each tag: an item whose tag is there already
 * raises it. */
#ifndef CUCKOO_FILTER_H
#define CUCKOO_FILTER_H

#include <stdint.h>

#include "error.h"
#include "rng.h"

#define FILTER_KICKS    500
#define FILTER_TAG_MAX  16 /* bits */
#define FILTER_SLOT_MAX 8  /* slots a bucket */

struct filter_shape {
    unsigned tag_bits; /* f: 2 ... FILTER_TAG_MAX */
    unsigned slots;    /* b, of a bucket: 1 ... FILTER_SLOT_MAX */
    uint32_t buckets;  /* a power of two up to 2^31 */
    int counting;      /* a counter beside each tag */
};

struct filter {
    struct filter_shape shape;
    uint64_t seed;   /* of hash(tag) */
    struct rng rng;  /* of the kicks */
    uint16_t *tag;   /* buckets * slots; 0: free */
    uint16_t *count; /* NULL unless counting */
    uint64_t stored; /* tags in slots */
    /* The tag that found no place: looked at by every lookup.  While it is in use nothing
     * can be inserted. */
    struct {
        int used;
        uint32_t bucket;
        uint16_t tag, count;
    } victim;
};

enum filter_outcome {
    FILTER_STORED = 0,
    FILTER_VICTIM,  /* stored, and a tag (this or another) became the victim */
    FILTER_REFUSED, /* there is a victim already: nothing was changed */
};

int filter_init(struct filter *self, const struct filter_shape *shape);
void filter_free(struct filter *self);
uint64_t filter_bytes(const struct filter_shape *shape);
/* Empty, with the functions of this stream. */
void filter_reset(struct filter *self, uint64_t hash_stream, uint64_t search_stream);

/* `item` is the hash of an item: 64 random bits. */
enum filter_outcome filter_add(struct filter *self, uint64_t item);
int filter_contains(const struct filter *self, uint64_t item);
/* Remove one copy of the item's tag, whoever put it there; 0 if there is none.  A victim
 * gets another try. */
int filter_remove(struct filter *self, uint64_t item);
/* The greatest counter of the item's tag in its buckets; 0 if it is not there. */
uint32_t filter_count(const struct filter *self, uint64_t item);

uint32_t filter_first_bucket(const struct filter *self, uint64_t item);
uint16_t filter_tag(const struct filter *self, uint64_t item);
uint32_t filter_other_bucket(const struct filter *self, uint32_t bucket, uint16_t tag);

/* The false-positive rate of the table as it is, exactly: of buckets * 2^f equally likely
 * pairs of first bucket and low bits, those that a lookup answers with yes.  The victim is
 * left out.  Cost: a few reads a slot. */
uint64_t filter_positives(const struct filter *self);

/* The rate that a model gives at a load: each of the 2b slots is taken with probability
 * `load`, its tag drawn like an item's: 1 - sum over tags p (1 - load p)^(2b). */
double filter_rate(const struct filter_shape *shape, double load);
/* The same for tags that are all equally likely. */
double filter_rate_uniform(const struct filter_shape *shape, double load);

#endif
