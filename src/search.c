/* search.c -- see search.h. */
#include "search.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "insert_production.h"
#include "parse.h"

#define LIMIT_MAX (UINT32_MAX - 1)

/* "a", "a,b" or "a/b" (as printed, where a comma would part columns): as many numbers as there are,
 * at most two. */
static int read_limits(const char *text, uint64_t least, uint64_t limit[2], size_t *count)
{
    char first[64];
    size_t length = strcspn(text, ",/");

    if (length >= sizeof first)
        return ERR_USAGE;
    memcpy(first, text, length);
    first[length] = '\0';
    *count = text[length] != '\0' ? 2 : 1;
    if (parse_size(first, least, LIMIT_MAX, &limit[0]) != ERR_NONE)
        return ERR_USAGE;
    return *count == 1 ? ERR_NONE : parse_size(text + length + 1, 0, LIMIT_MAX, &limit[1]);
}

/* What follows the name, or NULL where the text has another name. */
static const char *after(const char *text, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ':'))
        return NULL;
    return text + length;
}

static const char *const tie_names[] = {"left", "random", "global-left", "global-random"};
static const struct insert_rule round_robin = {
    .name = "round-robin", .insert = insert_round_robin, .max_kicks = 500};
static const struct insert_rule bubble_up = {
    .name = "bubble-up", .insert = insert_bubble_up, .max_kicks = 500};
static const struct insert_rule labels = {
    .name = "labels", .insert = insert_labels, .max_label = 4, .ties = TIES_LEFT};

/* "LABEL", "LABEL,TIES" or "LABEL/TIES". */
static int read_labels(const char *text, struct insert_rule *rule)
{
    char number[16];
    uint64_t label;
    size_t length = strcspn(text, ",/");

    if (length >= sizeof number)
        return ERR_USAGE;
    memcpy(number, text, length);
    number[length] = '\0';
    if (parse_size(number, 1, LABEL_MAX - 1, &label) != ERR_NONE)
        return ERR_USAGE;
    rule->max_label = (uint32_t)label;
    if (text[length] == '\0')
        return ERR_NONE;
    for (size_t i = 0; i < sizeof tie_names / sizeof tie_names[0]; i++)
        if (strcmp(text + length + 1, tie_names[i]) == 0) {
            rule->ties = (enum label_ties)i;
            return ERR_NONE;
        }
    return ERR_USAGE;
}

int search_parse(const char *text, struct insert_rule *rule)
{
    uint64_t limit[2] = {0, 0};
    size_t count = 0;
    const char *rest;

    if (strcmp(text, "complete") == 0) {
        *rule = insert_rule_complete;
        return ERR_NONE;
    }
    if ((rest = after(text, "walk")) != NULL)
        *rule = insert_rule_walk500;
    else if ((rest = after(text, "walk-rr")) != NULL)
        *rule = round_robin;
    else if ((rest = after(text, "bubble-up")) != NULL)
        *rule = bubble_up;
    else if ((rest = after(text, "lsa")) != NULL)
        *rule = labels;
    else if ((rest = after(text, "original")) != NULL)
        *rule = insert_rule_original500;
    else if ((rest = after(text, "bfs")) != NULL)
        *rule = insert_rule_breadth;
    else
        return ERR_USAGE;
    if (rest[0] == '\0')
        return ERR_NONE;
    if (rule->insert == insert_labels)
        return read_labels(rest + 1, rule);
    int breadth = rule->insert == insert_breadth;
    if (read_limits(rest + 1, (uint64_t)breadth, limit, &count) != ERR_NONE ||
        (count == 2 && !breadth))
        return ERR_USAGE;
    if (breadth) {
        rule->max_slots = (uint32_t)limit[0];
        rule->max_moves = count == 2 ? (uint32_t)limit[1] : INSERT_UNLIMITED;
    } else {
        rule->max_kicks = (uint32_t)limit[0];
    }
    return ERR_NONE;
}

int search_is_complete(const struct insert_rule *rule)
{
    return rule->insert == insert_breadth && rule->max_slots == INSERT_UNLIMITED &&
           rule->max_moves == INSERT_UNLIMITED;
}

void search_print(const struct insert_rule *rule, char name[SEARCH_NAME])
{
    if (search_is_complete(rule))
        snprintf(name, SEARCH_NAME, "complete");
    else if (rule->insert == insert_breadth && rule->max_moves == INSERT_UNLIMITED)
        snprintf(name, SEARCH_NAME, "bfs:%" PRIu32, rule->max_slots);
    else if (rule->insert == insert_breadth)
        snprintf(name, SEARCH_NAME, "bfs:%" PRIu32 "/%" PRIu32, rule->max_slots, rule->max_moves);
    else if (rule->insert == insert_labels)
        snprintf(name, SEARCH_NAME, "lsa:%" PRIu32 "/%s", rule->max_label, tie_names[rule->ties]);
    else
        snprintf(name, SEARCH_NAME, "%s:%" PRIu32,
                 rule->insert == insert_original      ? "original"
                 : rule->insert == insert_round_robin ? "walk-rr"
                 : rule->insert == insert_bubble_up   ? "bubble-up"
                                                      : "walk",
                 rule->max_kicks);
}
