/* limits.c -- what the machine charges for the parts that no program of this kind can do
 * without: hashing, one random increment in a table, one pass over a table.
 *
 *   limits hash|increment|graph|stream N SLOTS
 * does N operations, on tables of SLOTS words of 16 bits: `hash` draws a key and computes
 * both candidates; `increment` also adds one at the first, `graph` at both; `stream` reads
 * the table from end to end, N words in all.  Prints nanoseconds an operation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/rng.h"

static volatile uint64_t sink;

static double seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Draw n keys; their candidates in tables of `slots`, increments at the first `touched`. */
static void hash(uint64_t n, uint32_t slots, unsigned touched, uint16_t *table)
{
    struct rng keys;
    uint64_t seed, sum = 0;

    rng_init(&keys, 1);
    seed = rng_next(&keys);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = hash_mix(rng_next(&keys) ^ seed);
        uint32_t left = hash_reduce(word >> 32, slots), right = hash_reduce(word, slots);
        sum += left ^ right;
        if (touched > 0)
            table[left]++;
        if (touched > 1)
            table[right]++;
    }
    sink = sum;
}

static void stream(uint64_t n, uint32_t slots, const uint16_t *table)
{
    uint64_t sum = 0;

    for (uint64_t done = 0; done < n; done += slots)
        for (uint32_t i = 0; i < slots; i++)
            sum += table[i];
    sink = sum;
}

int main(int argc, char **argv)
{
    static const char *const parts[] = {"hash", "increment", "graph"};
    uint64_t n = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
    uint32_t slots = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    unsigned part = 0;

    if (n < 1 || slots < 1)
        return 2;
    uint16_t *table = calloc(slots, sizeof *table);
    if (table == NULL)
        return 1;
    while (part < 3 && strcmp(argv[1], parts[part]) != 0)
        part++;
    double start = seconds();
    if (part < 3)
        hash(n, slots, part, table);
    else
        stream(n, slots, table);
    printf("%s %.3f ns\n", argv[1], 1e9 * (seconds() - start) / (double)n);
    free(table);
    return 0;
}
