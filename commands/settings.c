/* settings.c -- see settings.h. */
#include "settings.h"

#include <inttypes.h>
#include <math.h>

#define KEYS_MAX  (UINT64_C(1) << 40) /* of exact_stash() */
#define BOUND_MAX (UINT64_C(1) << 32) /* keys and buckets of bound_failure() */

enum exact_layout settings_layout(const struct options *options)
{
    if (options->split)
        return EXACT_SPLIT;
    return options->distinct ? EXACT_ONE_DISTINCT : EXACT_ONE_REPEAT;
}

int settings_exact(const struct options *options, const char *command, uint64_t keys,
                   uint64_t slots, struct exact_setting *setting, struct error *err)
{
    *setting = (struct exact_setting){
        .layout = settings_layout(options), .keys = keys, .slots_1 = slots, .slots_2 = 0};
    if (keys > KEYS_MAX)
        return error_set(err, ERR_USAGE, "%s: --keys %" PRIu64 ": at most 2^40 is allowed", command,
                         keys);
    if (slots > KEYS_MAX)
        return error_set(err, ERR_USAGE, "%s: --slots %" PRIu64 ": at most 2^40 is allowed",
                         command, slots);
    if (setting->layout == EXACT_SPLIT && options->slots_part[1] > 0) {
        setting->slots_1 = options->slots_part[0];
        setting->slots_2 = options->slots_part[1];
    } else if (setting->layout == EXACT_SPLIT) {
        if (slots % 2 != 0)
            return error_set(err, ERR_USAGE,
                             "%s: --slots %" PRIu64 ": an even number is allowed for two equal "
                             "tables (or two numbers, such as %" PRIu64 "+%" PRIu64 ")",
                             command, slots, slots / 2 + 1, slots / 2);
        setting->slots_1 = setting->slots_2 = slots / 2;
    } else if (setting->layout == EXACT_ONE_DISTINCT && slots < 2) {
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 ": at least 2 are needed for distinct positions",
                         command, slots);
    }
    return ERR_NONE;
}

int settings_bound(const struct options *options, const char *command, unsigned d, unsigned k,
                   uint64_t slots, struct bound_setting *setting, struct error *err)
{
    *setting = (struct bound_setting){options->split      ? BOUND_SPLIT
                                      : options->distinct ? BOUND_DISTINCT
                                                          : BOUND_REPEAT,
                                      d, k, options->keys, slots / k};
    if (d < 2 || d > BOUND_CANDIDATES_MAX)
        return error_set(err, ERR_USAGE, "%s: --candidates %u: 2 to %d is allowed", command, d,
                         BOUND_CANDIDATES_MAX);
    if (k < 1 || k > BOUND_BUCKET_MAX)
        return error_set(err, ERR_USAGE, "%s: --bucket %u: 1 to %d is allowed", command, k,
                         BOUND_BUCKET_MAX);
    if (options->keys > BOUND_MAX)
        return error_set(err, ERR_USAGE, "%s: --keys %" PRIu64 ": at most 2^32 is allowed", command,
                         options->keys);
    if (options->slots_part[1] > 0)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 "+%" PRIu64 ": equal tables are allowed here",
                         command, options->slots_part[0], options->slots_part[1]);
    if (setting->buckets < 1 || setting->buckets > BOUND_MAX)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 ": 1 to 2^32 buckets of %u slots are allowed",
                         command, slots, k);
    if (setting->positions == BOUND_SPLIT && slots % ((uint64_t)d * k) != 0)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 ": a multiple of %" PRIu64
                         " is allowed for %u equal tables of buckets of %u",
                         command, slots, (uint64_t)d * k, d, k);
    if (setting->positions == BOUND_DISTINCT && setting->buckets < d)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 ": at least %u buckets are needed for distinct "
                         "positions",
                         command, slots, d);
    return ERR_NONE;
}

const char *settings_positions_name(enum bound_positions positions)
{
    return positions == BOUND_SPLIT ? "split" : positions == BOUND_DISTINCT ? "distinct" : "repeat";
}

double settings_bits_down(double log_probability)
{
    return 0.0 + floor(-100.0 * log_probability / log(2.0)) / 100.0;
}

double settings_bits_up(double log_probability)
{
    return 0.0 + ceil(-100.0 * log_probability / log(2.0)) / 100.0;
}

void settings_words(struct out *out, const struct exact_setting *setting)
{
    int split = setting->layout == EXACT_SPLIT;

    out_word(out, split ? "split" : "one");
    if (split)
        out_none(out);
    else
        out_word(out, setting->layout == EXACT_ONE_DISTINCT ? "distinct" : "repeat");
    if (split && setting->slots_1 != setting->slots_2)
        out_wordf(out, "%" PRIu64 "+%" PRIu64, setting->slots_1, setting->slots_2);
    else
        out_wordf(out, "%" PRIu64, setting->slots_1);
}
