/* family.h -- families of hash functions, from a 64-bit key to a bucket.
 *
 * A function of a family is FAMILY_WORDS drawn words; what they mean depends on the family
 * (p is a prime, w the number of buckets, a word `odd` has its lowest bit set):
 *   mixer          reduce(mix(x ^ r)): the reference; candidates 2i and 2i+1 are the halves
 *                  of one 64-bit hash, which is the usual `two buckets from one hash`
 *   mixer-each     the same with a word of its own for every candidate
 *   multiply       top bits of (a x mod 2^b), a odd: multiply-shift (Dietzfelbinger, Hagerup,
 *                  Katajainen, Penttonen, J. Algorithms 25 (1997)); b = 64, or the universe's
 *                  number of bits
 *   multiply-xor   the xor of three multiply-shift functions (Pagh and Rodler, J. Algorithms
 *                  51 (2004), section 4)
 *   multiply-cut   candidates 2i and 2i+1 from the halves of one product a x mod 2^64
 *   linear         ((a x + b) mod p) mod w, p the least prime from the universe's size on
 *                  (Carter and Wegman, J. Comput. Syst. Sci. 18 (1979), class H1)
 *   poly1 poly4 poly5   polynomials of that degree over p = 2^61 - 1, mod w: 2-, 5- and
 *                  6-wise independent up to the last mod
 *   tabulation8 tabulation16   simple tabulation: the xor of a random word for every
 *                  character of 8 or 16 bits (Zobrist; Patrascu and Thorup, JACM 59 (2012));
 *                  the tables' words are those of a stream, computed when asked for
 *   double         (h1 + j h2) mod w for candidate j, h1 in [0, w), h2 in [1, w)
 * Where b bits are mapped to [0, w) it is by the high half of a product (hash.h): their top
 * bits where w is a power of two. */
#ifndef CUCKOO_FAMILY_H
#define CUCKOO_FAMILY_H

#include <stdint.h>

#define FAMILY_WORDS 6
#define FAMILY_P61   ((UINT64_C(1) << 61) - 1)

enum hash_family {
    FAMILY_MIXER = 0,
    FAMILY_MIXER_EACH,
    FAMILY_MULTIPLY,
    FAMILY_MULTIPLY_XOR,
    FAMILY_MULTIPLY_CUT,
    FAMILY_LINEAR,
    FAMILY_POLY1,
    FAMILY_POLY4,
    FAMILY_POLY5,
    FAMILY_TABULATION8,
    FAMILY_TABULATION16,
    FAMILY_DOUBLE,
    FAMILY_COUNT
};

/* A family with its parameters. */
struct family {
    enum hash_family kind;
    unsigned bits;  /* multiply, multiply-xor: b, 2 ... 64 */
    uint64_t prime; /* linear: p, below 2^32 or 2^61 - 1 */
};

/* The family for keys in [0, universe), 0 standing for 2^64: with `fitted`, multiply-shift
 * works on the universe's bits and the linear class modulo the least prime that is not
 * smaller (FAMILY_P61 where that is beyond 2^32); else on 64 bits and modulo FAMILY_P61. */
void family_init(struct family *self, enum hash_family kind, uint64_t universe, int fitted);
const char *family_name(enum hash_family kind);

/* Draw one function from stream `key`: word[FAMILY_WORDS]. */
void family_draw(const struct family *self, uint64_t key, uint64_t *word);

/* The 64-bit value before the map to buckets: all bits are hash bits for the mixer and
 * tabulation; the top half counts for multiply-shift; a residue for linear and poly. */
uint64_t family_value(const struct family *self, const uint64_t *word, uint64_t key);

/* Candidates 0 ... d-1 in [0, width[j]), from d functions; word[j] is function j. */
void family_candidates(const struct family *self, const uint64_t (*word)[FAMILY_WORDS],
                       uint64_t key, unsigned d, const uint32_t *width, uint32_t *bucket);

/* a b mod p for a, b < p, p below 2^32 or FAMILY_P61. */
uint64_t family_multiply(uint64_t a, uint64_t b, uint64_t p);
/* The least prime >= n, n <= 2^32 - 5. */
uint64_t family_prime(uint64_t n);

#endif
