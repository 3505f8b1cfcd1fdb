/* search.h -- insertion rules by the words of the command line:
 *   complete           breadth-first without limits: fails only if no placement exists
 *   walk[:KICKS]       random walk (500)
 *   bfs[:SLOTS[,MOVES]]  breadth-first, slots inspected and keys moved by one insertion
 *                      (2000,5; without MOVES no limit on them)
 *   original[:KICKS]   Pagh and Rodler's insertion, two candidates (500)
 *   walk-rr[:KICKS]    a resident goes to the candidate after its own, round robin; buckets
 *                      of one slot (500)
 *   bubble-up[:KICKS]  the first d-2 candidates where they are free, else the last two;
 *                      buckets of one slot (500)
 *   lsa[:LABEL[,TIES]] LSA_max: the slot of least label, up to LABEL (4); of several, TIES
 *                      is left, random, global-left or global-random (left)
 * Sizes read as everywhere: 1000, 1e3, 2^10. */
#ifndef CUCKOO_SEARCH_H
#define CUCKOO_SEARCH_H

#include "insert.h"

#define SEARCH_NAME 48
#define SEARCH_WORDS                                                                               \
    "complete, walk:KICKS, bfs:SLOTS, bfs:SLOTS,MOVES, original:KICKS, walk-rr:KICKS, "            \
    "bubble-up:KICKS, lsa:LABEL, lsa:LABEL,TIES"

/* ERR_USAGE for another word. */
int search_parse(const char *text, struct insert_rule *rule);

/* The rule's word, with its limits. */
void search_print(const struct insert_rule *rule, char name[SEARCH_NAME]);

int search_is_complete(const struct insert_rule *rule);

#endif
