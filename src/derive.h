/* derive.h -- second buckets that are derived from the first and a few bits of the hash.
 *
 * A 32- or 64-bit hash gives bucket 1 and a tag; bucket 2 depends on both:
 *   xor-tag      b1 ^ tag: the tag unhashed (Fan, Andersen, Kaminsky, Mitzenmacher, CoNEXT
 *                2014, section 4, warns of it)
 *   xor-hash     b1 ^ (tag * 0x5bd1e995): MemC3 and the cuckoo filter; the tag is in
 *                [1, 2^bits), 0 counts as 1
 *                (efficient/cuckoofilter 917583d src/cuckoofilter.h, AltIndex)
 *   xor-mix      b1 ^ mix(tag): as xor-hash with the mixer for the product
 *   xor-redis    as xor-hash with the tag hash mod 255 + 1 (RedisBloom src/cuckoo.c)
 *   dpdk         of a 32-bit hash: b1 its low bits, tag = hash >> 16, b2 = b1 ^ tag
 *                (DPDK v24.11 lib/hash/rte_cuckoo_hash.c, get_alt_bucket_index)
 *   rotate       of a 32-bit hash: b1 its low bits, b2 the low bits of the hash rotated by
 *                16 (Open vSwitch v3.4.0 lib/cmap.c, rehash and other_hash)
 *   additive     (H - b1) mod m with H = mix(tag) mod m: an involution for every m
 *   words        words of 64 bits at bytes 0 and 2 of a 128-bit hash, each mod m: they share
 *                48 bits (osu-crypto/libPSI 1159df1)
 * All but `words` find a resident's other bucket from the bucket it is in and its tag; with
 * xor that needs a power of two of buckets: else b1 ^ tag leaves the table, and reduced mod m
 * it is no involution (docs/EXPERIMENTS-production.md, e9). */
#ifndef CUCKOO_DERIVE_H
#define CUCKOO_DERIVE_H

#include <stdint.h>

enum derivation {
    DERIVE_NONE = 0, /* independent candidates */
    DERIVE_XOR_TAG,
    DERIVE_XOR_HASH,
    DERIVE_XOR_MIX,
    DERIVE_XOR_REDIS,
    DERIVE_DPDK,
    DERIVE_ROTATE,
    DERIVE_ADDITIVE,
    DERIVE_WORDS,
    DERIVE_COUNT
};

#define DERIVE_HASH_BITS 32 /* dpdk and rotate: bits of the hash */

struct derive {
    enum derivation kind;
    unsigned bits; /* of the tag; dpdk: 16; rotate, words, redis: not used */
};

const char *derive_name(enum derivation kind);

/* Whether this derivation exists for m buckets: ERR_NONE or ERR_DOMAIN (xor and rotate need a
 * power of two; dpdk and rotate at most 2^32; tags of 1 to 32 bits). */
int derive_check(const struct derive *self, uint64_t m);

/* Both buckets of a key from its 64-bit hash (the upper half gives bucket 1, the lower the
 * tag, where the derivation does not say otherwise) and `more`, the hash's next 64 bits. */
void derive_buckets(const struct derive *self, uint64_t hash, uint64_t more, uint32_t m,
                    uint32_t *bucket);

/* The tag of a key, and the other bucket of a key with this tag that is in `bucket`.  Not for
 * rotate and words, whose other bucket takes more than a tag. */
uint32_t derive_tag(const struct derive *self, uint64_t hash);
uint32_t derive_other(const struct derive *self, uint32_t bucket, uint32_t tag, uint32_t m);

/* Three or four candidates by xor-hash, as a filter finds them again from any one
 * of them and the tag: the d-ary cuckoo filter (ICPADS 2017) and its segmented variant, as the
 * README of bao-ninh-orochi/IKPIR describes both.
 *   one table     the same step from each to the next, added digit by digit modulo d in base d,
 *                 so that d steps lead back; m is a power of d
 *   split         each in a table of its own, of m buckets, the one before xor the tag times a
 *                 factor of its own; m is a power of two
 * ERR_DOMAIN: another kind, d not 3 or 4, another m. */
#define DERIVE_MANY 4
int derive_check_many(const struct derive *self, unsigned d, int split, uint64_t m);
/* The places of the d candidates, each in its own table where split. */
void derive_many(const struct derive *self, unsigned d, int split, uint64_t hash, uint32_t m,
                 uint32_t *bucket);

/* How a derivation splits 2^b buckets into parts that no key joins, for dpdk and rotate with
 * b >= 16, h bits of hash (32), and xor-tag: `pairs` parts of `pair_buckets`, and `singles`
 * of half that.  b >= 16 but for xor-tag. */
struct derive_parts {
    uint64_t pairs, pair_buckets, singles, single_buckets;
};
int derive_split(const struct derive *self, unsigned b, struct derive_parts *parts);

#endif
