/* live_writer.c -- the writer of live.h: paths, and the steps that carry them out. */
#include "live_state.h"

/* ---- finding a path ---- */

static unsigned slots_of_bucket(const struct live *self)
{
    return self->setting->scheme.k;
}

/* A free slot of `bucket`, or LIVE_NONE. */
static uint32_t free_slot(const struct live *self, uint32_t bucket)
{
    unsigned k = slots_of_bucket(self);

    for (uint32_t slot = bucket * k; slot < (bucket + 1) * k; slot++)
        if (self->tag[slot] == 0)
            return slot;
    return LIVE_NONE;
}

static uint32_t other_bucket(const struct live *self, uint32_t slot)
{
    uint32_t bucket[2], here = slot / slots_of_bucket(self);

    live_buckets(self, self->record[self->item[slot]].key, bucket);
    return bucket[0] == here ? bucket[1] : bucket[0];
}

/* Read the path off the tree: from node `n`, in which `slot` is free, up to a root. */
static void take_path(struct live *self, uint32_t n, uint32_t slot)
{
    uint32_t reversed[LIVE_SLOTS_MAX + 2];
    unsigned count = 0;

    reversed[count++] = slot;
    for (; self->node[n].parent != LIVE_NONE; n = self->node[n].parent)
        reversed[count++] = self->node[n].slot;
    self->writer.path_slots = count;
    for (unsigned i = 0; i < count; i++)
        self->writer.path[i] = reversed[count - 1 - i];
}

/* Breadth-first, each bucket once.  Returns the slots inspected; no path: path_slots 0. */
static uint32_t search_breadth(struct live *self, const uint32_t *root)
{
    unsigned k = slots_of_bucket(self);
    uint32_t nodes = 0;

    self->search++;
    self->writer.path_slots = 0;
    for (unsigned j = 0; j < 2; j++)
        if (self->stamp[root[j]] != self->search) {
            self->stamp[root[j]] = self->search;
            self->node[nodes].bucket = root[j];
            self->node[nodes].parent = LIVE_NONE;
            nodes++;
        }
    for (uint32_t n = 0; n < nodes && (n + 1) * k <= LIVE_SLOTS_MAX; n++) {
        uint32_t bucket = self->node[n].bucket, slot = free_slot(self, bucket);
        if (slot != LIVE_NONE) {
            take_path(self, n, slot);
            return (n + 1) * k;
        }
        for (uint32_t s = bucket * k; s < (bucket + 1) * k; s++) {
            uint32_t other = other_bucket(self, s);
            if (self->stamp[other] == self->search || nodes > LIVE_SLOTS_MAX)
                continue;
            self->stamp[other] = self->search;
            self->node[nodes].bucket = other;
            self->node[nodes].parent = n;
            self->node[nodes].slot = s;
            nodes++;
        }
    }
    return nodes * k;
}

/* A random path that meets no bucket twice. */
static uint32_t search_walk(struct live *self, const uint32_t *root)
{
    unsigned k = slots_of_bucket(self), count = 0;
    uint32_t inspected = 0, bucket = root[0];

    self->search++;
    self->writer.path_slots = 0;
    for (unsigned j = 0; j < 2; j++) {
        inspected += k;
        uint32_t slot = free_slot(self, root[j]);
        if (slot != LIVE_NONE) {
            self->writer.path[0] = slot;
            self->writer.path_slots = 1;
            return inspected;
        }
    }
    bucket = root[rng_below(&self->rng, 2)];
    while (count < LIVE_PATH_MAX) {
        self->stamp[bucket] = self->search;
        /* one of the residents that lead to a bucket not yet on the path */
        uint32_t chosen = LIVE_NONE, next = 0, seen = 0;
        for (uint32_t s = bucket * k; s < (bucket + 1) * k; s++) {
            uint32_t other = other_bucket(self, s);
            if (self->stamp[other] != self->search && rng_below(&self->rng, ++seen) == 0) {
                chosen = s;
                next = other;
            }
        }
        if (chosen == LIVE_NONE)
            break;
        self->writer.path[count++] = chosen;
        inspected += k;
        uint32_t slot = free_slot(self, next);
        if (slot != LIVE_NONE) {
            self->writer.path[count++] = slot;
            self->writer.path_slots = count;
            return inspected;
        }
        bucket = next;
    }
    return inspected;
}

static uint32_t find_path(struct live *self, uint64_t key)
{
    uint32_t bucket[2];

    live_buckets(self, key, bucket);
    return self->setting->search == LIVE_BREADTH ? search_breadth(self, bucket)
                                                 : search_walk(self, bucket);
}

/* ---- the program ---- */

static void emit(struct live *self, enum live_op_kind kind, uint32_t where, uint32_t value,
                 uint32_t item)
{
    struct live_writer *writer = &self->writer;

    writer->op[writer->ops++] = (struct live_op){kind, where, value, item};
}

static void emit_locks(struct live *self, int after, uint32_t from, uint32_t to, uint32_t item)
{
    uint32_t a = live_lock_of(self, to), b = from != LIVE_NONE ? live_lock_of(self, from) : a;
    enum live_op_kind kind = after ? LIVE_OP_UNLOCK : LIVE_OP_LOCK;

    emit(self, kind, a < b ? a : b, 0, item);
    if (a != b)
        emit(self, kind, a < b ? b : a, 0, item);
}

/* Around a change of `bucket` (and of `from`, where the key comes from). */
static void emit_guard(struct live *self, int after, uint32_t from, uint32_t bucket, uint32_t item,
                       int deletes)
{
    switch (self->setting->protocol->guard) {
    case RACE_GUARD_KEY:
        emit(self, LIVE_OP_BUMP, live_key_counter(self, self->record[item].key), 0, item);
        break;
    case RACE_GUARD_BUCKET:
        emit(self, LIVE_OP_BUMP, bucket, 0, item);
        break;
    case RACE_GUARD_GLOBAL:
        if (!after && !deletes)
            emit(self, LIVE_OP_BUMP, 0, 0, item);
        break;
    case RACE_GUARD_LOCKS:
        emit_locks(self, after, from, bucket, item);
        break;
    default:
        break;
    }
}

/* Write record `item` into `slot`; `from` is the slot it comes from, or LIVE_NONE. */
static void emit_move(struct live *self, uint32_t from, uint32_t slot, uint32_t item)
{
    unsigned k = slots_of_bucket(self);
    uint32_t source = from != LIVE_NONE ? from / k : LIVE_NONE;

    emit_guard(self, 0, source, slot / k, item, 0);
    emit(self, LIVE_OP_TAG, slot, live_tag(self->record[item].key), item);
    emit(self, LIVE_OP_ITEM, slot, item, item);
    if (from != LIVE_NONE && self->setting->protocol->clear)
        emit(self, LIVE_OP_TAG, from, 0, item);
    emit_guard(self, 1, source, slot / k, item, 0);
}

static void emit_insertion(struct live *self, uint32_t item)
{
    const struct live_writer *writer = &self->writer;
    unsigned last = writer->path_slots - 1;

    if (self->setting->protocol->kick_first) {
        uint32_t hand = item;
        for (unsigned i = 0; i <= last; i++) {
            uint32_t evicted = self->item[writer->path[i]];
            emit_move(self, LIVE_NONE, writer->path[i], hand);
            hand = evicted;
        }
    } else {
        for (unsigned i = last; i > 0; i--)
            emit_move(self, writer->path[i - 1], writer->path[i], self->item[writer->path[i - 1]]);
        emit_move(self, LIVE_NONE, writer->path[0], item);
    }
}

static uint32_t take_record(struct live *self)
{
    uint32_t item = self->unused[self->unused_first];

    self->unused_first = (self->unused_first + 1) % self->records;
    self->n_unused--;
    self->record[item].key = rng_next(&self->keys);
    self->record[item].place = LIVE_NONE;
    return item;
}

static void give_record(struct live *self, uint32_t item)
{
    self->unused[(self->unused_first + self->n_unused) % self->records] = item;
    self->n_unused++;
}

static void store(struct live *self, uint32_t item)
{
    self->record[item].place = self->n_stored;
    self->stored[self->n_stored++] = item;
}

/* Out of the list at once: a lookup that is under way ends with a key that was deleted. */
static void unstore(struct live *self, uint32_t item)
{
    uint32_t place = self->record[item].place, last = self->stored[--self->n_stored];

    self->stored[place] = last;
    self->record[last].place = place;
    self->record[item].place = LIVE_NONE;
}

static void begin_deletion(struct live *self)
{
    struct live_writer *writer = &self->writer;
    uint32_t item = self->stored[rng_below(&self->rng, self->n_stored)];
    uint32_t slot = self->record[item].slot;

    writer->ops = writer->next = 0;
    writer->deletes = 1;
    unstore(self, item);
    uint32_t bucket = slot / slots_of_bucket(self);
    emit_guard(self, 0, LIVE_NONE, bucket, item, 1);
    emit(self, LIVE_OP_TAG, slot, 0, item);
    emit_guard(self, 1, LIVE_NONE, bucket, item, 1);
    give_record(self, item);
}

static void begin_insertion(struct live *self, uint64_t *tally)
{
    struct live_writer *writer = &self->writer;
    uint32_t item = take_record(self);

    writer->ops = writer->next = 0;
    writer->deletes = 0;
    writer->held_insertion = 0;
    writer->inserting = item;
    emit(self, LIVE_OP_DELAY, 0, find_path(self, self->record[item].key), LIVE_NONE);
    if (writer->path_slots > 0) {
        uint64_t moves = writer->path_slots - 1;
        emit_insertion(self, item);
        tally[LIVE_INSERTIONS]++;
        tally[LIVE_MOVES] += moves;
        if (moves > tally[LIVE_MOST_MOVES])
            tally[LIVE_MOST_MOVES] = moves;
    } else {
        tally[LIVE_FAILED]++;
        give_record(self, item);
        writer->inserting = LIVE_NONE;
    }
    if (self->setting->rest > 0)
        emit(self, LIVE_OP_DELAY, 0, self->setting->rest, LIVE_NONE);
}

static void next_program(struct live *self, uint64_t *tally)
{
    struct live_writer *writer = &self->writer;

    if (writer->inserting != LIVE_NONE) {
        store(self, writer->inserting);
        writer->inserting = LIVE_NONE;
    }
    if (self->n_stored >= self->setting->keys)
        begin_deletion(self);
    else
        begin_insertion(self, tally);
}

/* ---- a step ---- */

/* 0: it has to wait. */
static int do_op(struct live *self, const struct live_op *op)
{
    struct live_writer *writer = &self->writer;

    switch (op->kind) {
    case LIVE_OP_TAG:
        self->tag[op->where] = (uint8_t)op->value;
        break;
    case LIVE_OP_ITEM:
        self->item[op->where] = op->value;
        self->record[op->value].slot = op->where;
        break;
    case LIVE_OP_BUMP:
        self->counter[op->where]++;
        if (self->setting->protocol->guard != RACE_GUARD_GLOBAL)
            writer->holding = self->counter[op->where] % 2;
        break;
    case LIVE_OP_LOCK:
        if (self->lock[op->where] != 0)
            return 0;
        self->lock[op->where] = 1;
        writer->holding++;
        break;
    case LIVE_OP_UNLOCK:
        self->lock[op->where] = 0;
        writer->holding--;
        break;
    case LIVE_OP_DELAY:
        break;
    }
    return 1;
}

static void note_hold(struct live *self, int held, uint64_t *tally)
{
    struct live_writer *writer = &self->writer;

    if (!held)
        return;
    tally[LIVE_HELD] += !writer->deletes;
    writer->held++;
    if (writer->held > tally[LIVE_MOST_HELD])
        tally[LIVE_MOST_HELD] = writer->held;
    if (!writer->deletes && ++writer->held_insertion > tally[LIVE_HELD_INSERTION])
        tally[LIVE_HELD_INSERTION] = writer->held_insertion;
    if (writer->holding == 0)
        writer->held = 0;
}

void live_writer_step(struct live *self, uint64_t *tally)
{
    struct live_writer *writer = &self->writer;

    while (writer->next == writer->ops)
        next_program(self, tally);
    const struct live_op *op = &writer->op[writer->next];
    int held = writer->holding > 0;
    tally[LIVE_WRITER_STEPS]++;
    if (op->kind == LIVE_OP_DELAY) {
        if (++writer->delayed >= op->value) {
            writer->delayed = 0;
            writer->next++;
        }
        return;
    }
    if (!do_op(self, op)) {
        tally[LIVE_WRITER_LOST]++;
    } else {
        writer->next++;
        if (op->item != LIVE_NONE)
            self->record[op->item].touched = self->now;
    }
    note_hold(self, held || writer->holding > 0, tally);
}

int live_fill(struct live *self)
{
    uint64_t ignored[LIVE_CELLS] = {0};
    uint64_t failures = 0;

    while (self->n_stored < self->setting->keys && failures < 1000) {
        uint64_t before = ignored[LIVE_FAILED];
        begin_insertion(self, ignored);
        failures += ignored[LIVE_FAILED] - before;
        for (struct live_writer *writer = &self->writer; writer->next < writer->ops; writer->next++)
            do_op(self, &writer->op[writer->next]);
        if (self->writer.inserting != LIVE_NONE)
            store(self, self->writer.inserting);
        self->writer.inserting = LIVE_NONE;
    }
    self->writer.ops = self->writer.next = 0;
    return self->n_stored == self->setting->keys ? ERR_NONE : ERR_DOMAIN;
}
