/* program.h -- the whole program in one process, called again and again: what the fuzzers
 * and the replay of their corpus share. */
#ifndef CUCKOO_FUZZ_PROGRAM_H
#define CUCKOO_FUZZ_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Run main() with these words (argv[0] not among them).  Aborts where the promise of a refusal
 * is broken: status 2 or 1 with exactly one line of printable text on standard error.  Trials
 * run only where `trials` is not 0; no file is ever written. */
int program_run(const char *const *words, size_t count, int trials);

/* The name of a file that holds these bytes until the next call. */
const char *program_file(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
