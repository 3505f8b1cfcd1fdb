/* exact_speed.c -- how long an exact law takes: milliseconds of processor time for stashes
 * 0 ... 8, and 0 ... 20, by layout, number of keys and load.  The aim is 200 ms a law up to
 * 8, whatever the keys; the last line gives the slowest as a share of it.
 *
 *   exact_speed
 *
 * Built from the library: cc -O2 bench/exact_speed.c src/exact*.c src/stats.c
 * src/error.c -lgsl -lgslcblas -lm */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "../src/error.h"
#include "../src/exact.h"

#define AIM_MS 200.0

static const char *const names[] = {"split", "repeat", "distinct"};

/* Best of three, since another process may have had the processor's caches. */
static double milliseconds(const struct exact_setting *setting, unsigned largest)
{
    struct exact_row rows[EXACT_STASH_MAX + 1];
    double best = -1.0;

    for (int i = 0; i < 3; i++) {
        clock_t start = clock();
        int code = exact_stash(setting, largest, rows);
        double spent = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
        if (code != ERR_NONE) {
            fprintf(stderr, "exact_speed: %s\n", error_text(code));
            return -1.0;
        }
        if (best < 0.0 || spent < best)
            best = spent;
    }
    return best;
}

int main(void)
{
    double slowest = 0.0;

    printf("layout    keys        slots_per_key  ms_to_8  ms_to_20\n");
    for (int layout = EXACT_SPLIT; layout <= EXACT_ONE_DISTINCT; layout++)
        for (int power = 6; power <= 30; power += 6)
            for (int tenths = 20; tenths <= 24; tenths += 4) {
                uint64_t keys = UINT64_C(1) << power, slots = keys * (uint64_t)tenths / 20;
                struct exact_setting setting = {layout, keys, slots, slots};
                if (layout != EXACT_SPLIT) {
                    setting.slots_1 *= 2;
                    setting.slots_2 = 0;
                }
                double short_law = milliseconds(&setting, 8), law = milliseconds(&setting, 20);
                printf("%-8s  %-10" PRIu64 "  %13.1f  %7.2f  %8.2f\n", names[layout], keys,
                       tenths / 10.0, short_law, law);
                slowest = short_law > slowest ? short_law : slowest;
            }
    printf("slowest law up to 8: %.2f ms, %.3f of the aim of %.0f ms\n", slowest, slowest / AIM_MS,
           AIM_MS);
    return slowest <= AIM_MS ? 0 : 1;
}
