/* race_steps.c -- see race_steps.h.  The writer is a list of operations, made beforehand: memory is
 * a function of how many of them are done.  The reader's locks are part of its own state. */
#include "race_steps.h"

#include <string.h>

#define P(name, kick, clear, guard, check, mistake)                                                \
    {                                                                                              \
        name, kick, clear, RACE_GUARD_##guard, RACE_CHECK_##check, mistake                         \
    }

const struct race_protocol race_protocols[] = {
    P("kick-first", 1, 0, NONE, NONE, 0),
    P("backwards", 0, 0, NONE, NONE, 0),
    P("memc3", 0, 1, KEY, KEY, 0),
    P("memc3-bump-late", 0, 1, KEY_LATE, KEY, 1),
    P("memc3-read-once", 0, 1, KEY, KEY_ONCE, 1),
    P("memc3-no-clear", 0, 0, KEY, KEY, 1),
    P("libcuckoo", 0, 1, LOCKS, LOCKS, 0),
    P("libcuckoo-one-lock", 0, 1, LOCKS, LOCKS_SINGLE, 1),
    P("dpdk", 0, 0, GLOBAL, GLOBAL, 0),
    P("dpdk-bump-late", 0, 0, GLOBAL_LATE, GLOBAL, 1),
    P("dpdk-bump-at-end", 0, 0, GLOBAL_END, GLOBAL, 1),
    P("dpdk-read-once", 0, 0, GLOBAL, GLOBAL_ONCE, 1),
    P("ovs", 0, 0, BUCKET, BUCKET, 0),
    P("ovs-no-recheck", 0, 0, BUCKET, BUCKET_SINGLE, 1),
    P("ovs-bump-late", 0, 0, BUCKET_LATE, BUCKET, 1),
    {NULL, 0, 0, RACE_GUARD_NONE, RACE_CHECK_NONE, 0},
};

/* ---- the writer ---- */

static void emit(struct race *race, enum op_kind kind, unsigned where, unsigned value)
{
    race->op[race->ops++] = (struct op){(uint8_t)kind, (uint8_t)where, (uint8_t)value};
}

static void emit_slot(struct race *race, unsigned bucket, unsigned key)
{
    emit(race, OP_WRITE, 3 * bucket + CELL_TAG, key);
    emit(race, OP_WRITE, 3 * bucket + CELL_KEY, key);
    if (race->setting->inline_values)
        emit(race, OP_WRITE, 3 * bucket + CELL_VALUE, key);
}

static void emit_guard(struct race *race, unsigned bucket, unsigned key, int has_source, int after)
{
    switch (race->setting->protocol->guard) {
    case RACE_GUARD_KEY:
        emit(race, OP_BUMP, CELL_KEY_COUNTER + key, 0);
        break;
    case RACE_GUARD_BUCKET:
        emit(race, OP_BUMP, CELL_BUCKET_COUNTER + bucket, 0);
        break;
    case RACE_GUARD_KEY_LATE:
    case RACE_GUARD_BUCKET_LATE:
        for (int i = 0; after && i < 2; i++)
            emit(race, OP_BUMP,
                 race->setting->protocol->guard == RACE_GUARD_KEY_LATE
                     ? CELL_KEY_COUNTER + key
                     : CELL_BUCKET_COUNTER + bucket,
                 0);
        break;
    case RACE_GUARD_GLOBAL:
    case RACE_GUARD_GLOBAL_LATE:
        if (after == (race->setting->protocol->guard == RACE_GUARD_GLOBAL_LATE))
            emit(race, OP_BUMP, CELL_GLOBAL_COUNTER, 0);
        break;
    case RACE_GUARD_LOCKS: /* the source is the lower bucket */
        if (has_source)
            emit(race, after ? OP_UNLOCK : OP_LOCK, bucket - 1, 0);
        emit(race, after ? OP_UNLOCK : OP_LOCK, bucket, 0);
        break;
    case RACE_GUARD_GLOBAL_END:
    case RACE_GUARD_NONE:
        break;
    }
}

/* Write `key` into `bucket`; where it comes from the bucket before, that may be emptied. */
static void emit_move(struct race *race, unsigned bucket, unsigned key, int has_source)
{
    emit_guard(race, bucket, key, has_source, 0);
    emit_slot(race, bucket, key);
    if (has_source && race->setting->protocol->clear)
        emit(race, OP_WRITE, 3 * (bucket - 1) + CELL_TAG, 0);
    emit_guard(race, bucket, key, has_source, 1);
}

static void write_program(struct race *race)
{
    unsigned moves = race->setting->moves;

    if (race->setting->protocol->kick_first) {
        emit_slot(race, 0, moves + 1);
        for (unsigned key = 1; key <= moves; key++)
            emit_slot(race, key, key);
    } else {
        for (unsigned key = moves; key >= 1; key--)
            emit_move(race, key, key, 1);
        emit_move(race, 0, moves + 1, 0);
    }
    if (race->setting->protocol->guard == RACE_GUARD_GLOBAL_END)
        emit(race, OP_BUMP, CELL_GLOBAL_COUNTER, 0);
}

/* Memory after each number of operations. */
static void run_program(struct race *race)
{
    for (unsigned key = 1; key <= race->setting->moves; key++)
        for (unsigned c = 0; c < 3; c++)
            race->cell[0][3 * (key - 1) + c] = (uint8_t)key;
    for (unsigned i = 0; i < race->ops; i++) {
        const struct op *op = &race->op[i];
        memcpy(race->cell[i + 1], race->cell[i], CELLS);
        race->locks[i + 1] = race->locks[i];
        if (op->kind == OP_WRITE)
            race->cell[i + 1][op->where] = op->value;
        else if (op->kind == OP_BUMP)
            race->cell[i + 1][op->where]++;
        else
            race->locks[i + 1] ^= (uint8_t)(1U << op->where);
    }
}

void race_prepare(struct race *race, const struct race_setting *setting)
{
    memset(race, 0, sizeof *race);
    race->setting = setting;
    write_program(race);
    run_program(race);
}

/* ---- the reader ---- */

static unsigned bucket_of(const struct race *race, unsigned second)
{
    return race->setting->bucket + ((unsigned)race->setting->new_first ^ second);
}

static enum race_check check_of(const struct race *race)
{
    return race->setting->protocol->check;
}

static int checks_buckets(const struct race *race)
{
    return check_of(race) == RACE_CHECK_BUCKET || check_of(race) == RACE_CHECK_BUCKET_SINGLE;
}

static int checks_key(const struct race *race)
{
    return check_of(race) == RACE_CHECK_KEY || check_of(race) == RACE_CHECK_KEY_ONCE;
}

static unsigned counter_of(const struct race *race, unsigned second)
{
    if (checks_buckets(race))
        return CELL_BUCKET_COUNTER + bucket_of(race, second);
    if (checks_key(race))
        return CELL_KEY_COUNTER + race->setting->target; /* an absent key has one of its own */
    return CELL_GLOBAL_COUNTER;
}

/* The lock that comes first, second: pairs are taken lower bucket first. */
static unsigned lock_of(const struct race *race, const struct reader *reader, int later)
{
    if (check_of(race) == RACE_CHECK_LOCKS_SINGLE)
        return bucket_of(race, reader->second);
    return race->setting->bucket + (later ? 1 : 0);
}

enum reader_at race_start(const struct race *race)
{
    switch (check_of(race)) {
    case RACE_CHECK_NONE:
        return AT_TAG;
    case RACE_CHECK_LOCKS:
    case RACE_CHECK_LOCKS_SINGLE:
        return AT_LOCK;
    default:
        return AT_COUNTER;
    }
}

static void restart(const struct race *race, struct reader *reader, unsigned second)
{
    reader->at = (uint8_t)race_start(race);
    reader->second = (uint8_t)second;
    reader->found = 0;
    reader->retried = 1;
}

/* The bucket is read to its end, or the key was found in it. */
static void leave_bucket(const struct race *race, struct reader *reader)
{
    int over = reader->found || reader->second;

    switch (check_of(race)) {
    case RACE_CHECK_BUCKET:
    case RACE_CHECK_BUCKET_SINGLE:
        reader->at = AT_VERIFY;
        return;
    case RACE_CHECK_LOCKS_SINGLE:
        reader->at = AT_UNLOCK;
        return;
    case RACE_CHECK_LOCKS:
        reader->at = over ? AT_UNLOCK : AT_TAG;
        break;
    case RACE_CHECK_KEY:
        reader->at = over ? AT_VERIFY : AT_TAG;
        break;
    case RACE_CHECK_GLOBAL:
        reader->at = !over ? AT_TAG : reader->found ? AT_DONE : AT_VERIFY;
        break;
    case RACE_CHECK_NONE:
    case RACE_CHECK_KEY_ONCE:
    case RACE_CHECK_GLOBAL_ONCE:
        reader->at = over ? AT_DONE : AT_TAG;
        break;
    }
    if (!over)
        reader->second = 1;
}

static void read_counter(const struct race *race, const uint8_t *cell, struct reader *reader)
{
    uint8_t value = cell[counter_of(race, reader->second)];
    unsigned kept = checks_buckets(race) ? reader->second : 0;

    reader->seen[kept] = value;
    reader->waiting = (checks_buckets(race) || checks_key(race)) && value % 2 == 1;
    reader->waited |= reader->waiting;
    if (!reader->waiting)
        reader->at = AT_TAG;
}

/* The counter again, after a bucket or at the end. */
static void verify(const struct race *race, const uint8_t *cell, struct reader *reader)
{
    unsigned kept = checks_buckets(race) ? reader->second : 0;

    if (cell[counter_of(race, reader->second)] != reader->seen[kept])
        restart(race, reader, checks_buckets(race) ? reader->second : 0);
    else if (!checks_buckets(race) || reader->found)
        reader->at = AT_DONE;
    else if (reader->second)
        reader->at = check_of(race) == RACE_CHECK_BUCKET ? AT_RECHECK : AT_DONE;
    else {
        reader->second = 1;
        reader->at = AT_COUNTER;
    }
}

static void unlock(const struct race *race, struct reader *reader)
{
    int later = reader->at == AT_UNLOCK_2;

    reader->holds &= (uint8_t) ~(1U << lock_of(race, reader, later));
    if (check_of(race) == RACE_CHECK_LOCKS) {
        reader->at = later ? AT_DONE : AT_UNLOCK_2;
    } else if (reader->found || reader->second) {
        reader->at = AT_DONE;
    } else {
        reader->second = 1;
        reader->at = AT_LOCK;
    }
}

int race_reader_enabled(const struct race *race, unsigned done, const struct reader *reader)
{
    if (reader->at == AT_LOCK || reader->at == AT_LOCK_2)
        return !(race->locks[done] >> lock_of(race, reader, reader->at == AT_LOCK_2) & 1);
    if (reader->waiting)
        return race->cell[done][counter_of(race, reader->second)] !=
               reader->seen[checks_buckets(race) ? reader->second : 0];
    return reader->at != AT_DONE;
}

/* One step of an enabled reader. */
void race_reader_step(const struct race *race, unsigned done, struct reader *reader)
{
    const uint8_t *cell = race->cell[done];
    unsigned slot = 3 * bucket_of(race, reader->second);
    unsigned target = race->setting->target;

    switch ((enum reader_at)reader->at) {
    case AT_LOCK:
    case AT_LOCK_2: {
        int later = reader->at == AT_LOCK_2;
        reader->holds |= (uint8_t)(1U << lock_of(race, reader, later));
        reader->at = check_of(race) == RACE_CHECK_LOCKS && !later ? AT_LOCK_2 : AT_TAG;
        break;
    }
    case AT_COUNTER:
        read_counter(race, cell, reader);
        break;
    case AT_TAG:
        if (target != 0 && cell[slot + CELL_TAG] == target)
            reader->at = AT_KEY;
        else
            leave_bucket(race, reader);
        break;
    case AT_KEY:
        if (cell[slot + CELL_KEY] != target) {
            leave_bucket(race, reader);
        } else if (race->setting->inline_values) {
            reader->at = AT_VALUE;
        } else {
            reader->found = (uint8_t)target;
            leave_bucket(race, reader);
        }
        break;
    case AT_VALUE:
        reader->found = cell[slot + CELL_VALUE];
        leave_bucket(race, reader);
        break;
    case AT_VERIFY:
        verify(race, cell, reader);
        break;
    case AT_RECHECK:
        if (cell[counter_of(race, 0)] != reader->seen[0])
            restart(race, reader, 0);
        else
            reader->at = AT_DONE;
        break;
    case AT_UNLOCK:
    case AT_UNLOCK_2:
        unlock(race, reader);
        break;
    case AT_DONE:
        break;
    }
}

int race_writer_enabled(const struct race *race, unsigned done, const struct reader *reader)
{
    if (done == race->ops)
        return 0;
    const struct op *op = &race->op[done];
    return op->kind != OP_LOCK || !(reader->holds >> op->where & 1);
}
