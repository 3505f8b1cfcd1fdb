/* bound.c -- see bound.h and docs/BOUNDS.md.
 *
 * With J = kt + 1 keys, j = dJ positions, b buckets, and A(j,t) the number of sequences of
 * j positions over t buckets that hit each at least k+1 times:
 *   repeat    C(n,J) C(b,t) A(dJ,t)/b^(dJ)
 *   distinct  C(n,J) C(b,t) min((C(t,d)/C(b,d))^J, A(dJ,t)/(b(b-1)...(b-d+1))^J)
 *   split     C(n,J) sum over t_1 + ... + t_d = t of product C(b/d,t_i) A(J,t_i)/(b/d)^J
 * A(j,t) = j! g(z)^t z^-j P, for every z > 0, with g(z) = sum_{i>k} z^i/i! and P the
 * probability that t Poisson variables of mean z, each conditioned to exceed k, add to j.
 * P is a mean over the unit circle (computed for small t; aliasing only enlarges it), and
 * at most 1.  Where P = 1 is used, the sum over t_i of the split case is Vandermonde's. */
#include "bound.h"

#include <complex.h>
#include <math.h>

#include "error.h"
#include "stats.h"

static const double pi = 3.14159265358979323846;

enum {
    SINGLE = 4096,     /* greatest t that is a term of its own */
    REFINED = 512,     /* greatest t with P computed, one table */
    REFINED_SPLIT = 96 /* greatest t with all (t_1 ... t_d) summed */
};

/* log of n! */
static double log_factorial(double n)
{
    return n < 1.0 ? 0.0 : stats_stirling_remainder(n) + n * log(n) - n + 0.5 * log(2.0 * pi * n);
}

/* log C(n, r), relative error 1e-15 even for small r out of large n. */
static double log_choose(double n, double r)
{
    if (r > n)
        return -INFINITY;
    if (r <= 0.0 || r >= n)
        return 0.0;
    double rest = n - r;
    return stats_stirling_remainder(n) - stats_stirling_remainder(r) -
           stats_stirling_remainder(rest) + 0.5 * log(n / (2.0 * pi * r * rest)) - r * log(r / n) -
           rest * log1p(-r / n);
}

/* h(z) = (k+1)! z^-(k+1) g(z) = sum over i >= 0 of z^i (k+1)!/(k+1+i)!, also
 * (k+1) times the integral of (1-x)^k e^(zx) over [0,1]: so |h(r e^(ia))| <= h(r cos a).
 * `terms` is enough for |z|: h_terms(). */
static double h_real(double k, double z, int terms)
{
    double sum = 1.0;
    for (int i = terms; i > 0; i--)
        sum = 1.0 + sum * z / (k + 1.0 + i);
    return sum;
}

static double complex h_circle(double k, double complex z, int terms)
{
    double complex sum = 1.0;
    for (int i = terms; i > 0; i--)
        sum = 1.0 + sum * z / (k + 1.0 + i);
    return sum;
}

static int h_terms(double k, double z)
{
    double term = 1.0;
    int i = 0;
    do
        term *= z / (k + 1.0 + ++i);
    while (term > 1e-18 || k + 1.0 + i < z);
    return i;
}

/* Poisson of mean z conditioned to exceed k: log of g(z), and the mean
 * z g'(z)/g(z) = k + 1 + z h'/h = z + (k+1)/h(z), from g' = g + z^k/k!. */
struct tilt {
    double z, log_g;
    int terms;
};

static double log_g_of(double k, double z, int terms)
{
    return (k + 1.0) * log(z) - log_factorial(k + 1.0) + log(h_real(k, z, terms));
}

/* The z with mean `mean` > k + 1, by bisection on z + (k+1)/h(z), which grows from k + 1;
 * z < mean. */
static void tilt_init(struct tilt *self, double k, double mean)
{
    double low = 0.0, high = mean;
    self->terms = h_terms(k, mean);
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (middle + (k + 1.0) / h_real(k, middle, self->terms) < mean)
            low = middle;
        else
            high = middle;
    }
    self->z = 0.5 * (low + high);
    self->log_g = log_g_of(k, self->z, self->terms);
}

/* The same for a mean near that of the last call: Newton's rule from its z (0: none yet).
 * Any z gives a valid bound, so a rough root would do. */
static void tilt_move(struct tilt *self, double k, double mean)
{
    if (self->z <= 0.0 || self->z >= mean) {
        tilt_init(self, k, mean);
        return;
    }
    double z = self->z;
    for (int step = 0; step < 4; step++) {
        double h = h_real(k, z, self->terms), here = z + (k + 1.0) / h;
        double slope = 1.0 - (k + 1.0) / h * (here - k - 1.0) / z;
        z -= (here - mean) / slope;
        if (!(z > 0.0 && z < mean)) {
            tilt_init(self, k, mean);
            return;
        }
    }
    self->z = z;
    self->log_g = log_g_of(k, z, self->terms);
}

/* log of P: t conditioned Poisson variables add to j, whose mean is j/t; at most 0.  A sum
 * over a lattice of the circle, of which only a few points near 1 count. */
static double log_local(const struct tilt *self, double k, double t, double j)
{
    double h = h_real(k, self->z, self->terms), z = self->z;
    double variance = t * fmax(z * (1.0 + z / (k + 2.0)), 1e-3); /* a rough upper estimate */
    double count = ceil(16.0 * sqrt(variance) + 48.0), sum = 1.0;
    for (double i = 1.0; i <= 0.5 * count; i += 1.0) {
        double angle = 2.0 * pi * i / count;
        double complex value = h_circle(k, z * cexp(I * angle), self->terms) / h;
        double modulus = t * log(cabs(value)), turn = t * carg(value);
        turn -= fmod(i * (j - t * (k + 1.0)), count) * 2.0 * pi / count;
        /* the point i = count/2 of an even lattice is its own mirror image */
        sum += (2.0 * i == count ? 1.0 : 2.0) * exp(modulus) * cos(turn);
        double rest = count * exp(t * log(h_real(k, z * cos(angle), self->terms) / h));
        if (cos(angle) > 0.0 && rest < 1e-14 * sum) {
            sum += rest;
            break;
        }
    }
    double p = sum / count * (1.0 + 1e-10) + 1e-15;
    return p < 1.0 ? log(p) : 0.0;
}

/* log of A(j,t)/j!, refined or with P <= 1; -INFINITY where no sequence exists.  `tilt` is
 * that of a near j/t, with `terms` enough for it, or has z = 0. */
static double log_hits(double k, double t, double j, int refined, struct tilt *tilt)
{
    if (j < t * (k + 1.0))
        return -INFINITY;
    if (j == t * (k + 1.0)) /* every bucket exactly k + 1 times */
        return -t * log_factorial(k + 1.0);
    if (t == 1.0)
        return -log_factorial(j);
    tilt_move(tilt, k, j / t);
    return t * tilt->log_g - j * log(tilt->z) + (refined ? log_local(tilt, k, t, j) : 0.0);
}

struct sums {
    const struct bound_setting *setting;
    double d, k, n, b; /* as doubles; b buckets in all */
    double log_sum;    /* of all terms so far */
    double largest;    /* the largest term's logarithm ... */
    double largest_t;  /* ... and its t */
    double previous;   /* the last coarse term, for the first local minimum */
    int fell, turned;  /* coarse terms have fallen; have risen again after that */
    double log_beyond; /* sum of the terms after that turn */
    struct tilt tilt;  /* of the last t: the next one's is near */
};

static double log_add(double a, double b)
{
    double top = fmax(a, b);
    return top == -INFINITY ? top : top + log1p(exp(-fabs(a - b)));
}

/* Add a term of at most exp(log_term), refined from the coarse logarithm by which
 * the shape of the sequence is judged (it is smooth in t; the refinement ends somewhere). */
static void sums_add(struct sums *self, double t, double log_coarse, double log_term)
{
    /* outward by more than the arithmetic can err: the parts cancel at most 30-fold */
    log_term += 1e-12 * (1.0 + fabs(log_term) + self->d * t * self->k);
    self->log_sum = log_add(self->log_sum, log_term);
    if (log_term > self->largest) {
        self->largest = log_term;
        self->largest_t = t;
    }
    if (log_coarse < self->previous)
        self->fell = 1;
    else if (self->fell && log_coarse > self->previous)
        self->turned = 1;
    if (self->turned)
        self->log_beyond = log_add(self->log_beyond, log_term);
    self->previous = log_coarse;
}

/* d (d-1) ... of d factors from b down, logarithm. */
static double log_falling(double b, double d)
{
    double sum = 0.0;
    for (double i = 0.0; i < d; i += 1.0)
        sum += log(b - i);
    return sum;
}

/* One table: the term of t, given log(A(dJ,t)/(dJ)!). */
static double one_table_term(const struct sums *self, double t, double log_hit)
{
    double keys = self->k * t + 1.0, positions = self->d * keys, chance;
    double sequences = log_hit + log_factorial(positions);
    if (self->setting->positions == BOUND_REPEAT) {
        chance = sequences - positions * log(self->b);
    } else {
        if (t < self->d)
            return -INFINITY;
        double all = log_falling(self->b, self->d);
        double confined = keys * (log_falling(t, self->d) - all);
        chance = fmin(confined, sequences - keys * all);
    }
    return log_choose(self->n, keys) + log_choose(self->b, t) + chance;
}

/* d tables, P = 1: the sum over t_1 + ... + t_d = t is Vandermonde's C(b,t). */
static double split_term_coarse(const struct sums *self, double t, double log_hit)
{
    double keys = self->k * t + 1.0;
    if (t < self->d)
        return -INFINITY;
    return log_choose(self->n, keys) + log_choose(self->b, t) + log_hit +
           self->d * (log_factorial(keys) - keys * log(self->b / self->d));
}

/* d tables, every (t_1 ... t_d): the d-fold convolution of C(b/d,i) A(J,i)/(b/d)^J. */
static double split_term(const struct sums *self, unsigned t)
{
    double keys = self->k * t + 1.0, each = self->b / self->d, top = -INFINITY, tilt = 0.0;
    double x[REFINED_SPLIT + 1], power[REFINED_SPLIT + 1], next[REFINED_SPLIT + 1];
    unsigned d = self->setting->candidates;
    if (t < d)
        return -INFINITY;
    x[0] = -INFINITY;
    for (unsigned i = 1; i <= t; i++) {
        struct tilt own = {0.0, 0.0, 0}; /* keys/i moves too far from one i to the next */
        x[i] = log_choose(each, i) + log_hits(self->k, i, keys, 1, &own);
    }
    /* a power exp(tilt i), which the sum at t gives back, makes the middle the largest */
    unsigned middle = t / d;
    if (middle + 1 <= t && x[middle + 1] > -INFINITY)
        tilt = x[middle] - x[middle + 1];
    for (unsigned i = 1; i <= t; i++) {
        x[i] += tilt * i;
        top = fmax(top, x[i]);
    }
    for (unsigned i = 0; i <= t; i++) {
        x[i] = exp(x[i] - top);
        power[i] = i == 0 ? 1.0 : 0.0;
    }
    for (unsigned table = 0; table < d; table++) {
        for (unsigned i = 0; i <= t; i++) {
            next[i] = 0.0;
            for (unsigned j = 1; j <= i; j++)
                next[i] += x[j] * power[i - j];
        }
        for (unsigned i = 0; i <= t; i++)
            power[i] = next[i];
    }
    double scale = top + log_factorial(keys) - keys * log(each);
    if (!(power[t] > 1e-200)) /* what underflowed could matter */
        return INFINITY;
    return log_choose(self->n, keys) + self->d * scale + log(power[t]) - tilt * t;
}

static void add_single(struct sums *self, unsigned t)
{
    double keys = self->k * t + 1.0, positions = self->d * keys;
    double coarse_hit = log_hits(self->k, t, positions, 0, &self->tilt), coarse, term;
    int split = self->setting->positions == BOUND_SPLIT;
    coarse = split ? split_term_coarse(self, t, coarse_hit) : one_table_term(self, t, coarse_hit);
    term = coarse;
    if (coarse > self->log_sum - 50.0) { /* else it does not matter */
        if (split && t <= REFINED_SPLIT)
            term = split_term(self, t);
        else if (!split && t <= REFINED)
            term = one_table_term(self, t, log_hits(self->k, t, positions, 1, &self->tilt));
    }
    sums_add(self, t, coarse, fmin(term, coarse));
}

/* log(C(n,k(t+1)+1) C(b,t+1)) - log(C(n,kt+1) C(b,t)) */
static double choose_step(const struct sums *self, double t)
{
    double keys = self->k * t + 1.0, sum = log((self->b - t) / (t + 1.0));
    for (double i = 0.0; i < self->k; i += 1.0)
        sum += log(fmax(self->n - keys - i, 0.0) / (keys + i + 1.0));
    return sum;
}

/* The terms of t ... last together, by one line above them all: any z > 0 gives a bound
 * on A, linear in t; the factorials are convex, below their chord; the binomials are
 * log-concave, below the line through two neighbours.  The minimum with the cruder bound
 * for distinct positions is left out here. */
static void add_block(struct sums *self, double t, double last)
{
    int split = self->setting->positions == BOUND_SPLIT;
    double middle = floor(0.5 * (t + last)), step = choose_step(self, middle), top = -INFINITY;
    double choices = log_choose(self->n, self->k * middle + 1.0) + log_choose(self->b, middle);
    double all = self->setting->positions == BOUND_DISTINCT ? log_falling(self->b, self->d)
                                                            : self->d * log(self->b);
    tilt_move(&self->tilt, self->k, self->d * (self->k * middle + 1.0) / middle);
    for (int end = 0; end < 2; end++) {
        double at = end ? last : t, keys = self->k * at + 1.0;
        double orders = split ? self->d * (log_factorial(keys) + keys * log(self->d))
                              : log_factorial(self->d * keys);
        double hit =
            at * self->tilt.log_g - self->d * keys * log(self->tilt.z) + orders - keys * all;
        double line = at == middle ? choices : choices + step * (at - middle);
        top = fmax(top, line + hit);
    }
    sums_add(self, last, top, top + log(last - t + 1.0));
}

/* The smallest obstruction of all: q keys whose candidates fill one and the same cell, of
 * `cells` equally likely ones (one bucket; d buckets; one bucket of each table).  The
 * numbers of keys in the cells are negatively associated, so the chance that no cell has q
 * is at most the product of the chances. */
static double log_smallest(const struct sums *self)
{
    enum bound_positions positions = self->setting->positions;
    double q = positions == BOUND_REPEAT ? self->k + 1.0 : self->k * self->d + 1.0;
    double log_cells = positions == BOUND_REPEAT     ? log(self->b)
                       : positions == BOUND_DISTINCT ? log_choose(self->b, self->d)
                                                     : self->d * log(self->b / self->d);
    double log_share = positions == BOUND_REPEAT ? -self->d * log(self->b) : -log_cells;
    if (q > self->n)
        return -INFINITY;
    if (log_share > -1e-9) /* a single cell, which holds all keys */
        return 0.0;
    /* exactly q keys in the cell: a lower bound of "q or more", in logarithms throughout */
    double share = exp(log_share);
    double log_cell =
        log_choose(self->n, q) + q * log_share + (self->n - q) * log1p(-fmin(share, 1.0));
    double tail;
    if (log_share > -600.0 &&
        stats_binomial_tails((uint64_t)q, self->setting->keys, share, NULL, &tail) == 0)
        log_cell = fmax(log_cell, tail);
    log_cell = fmin(log_cell, -1e-300) - 1e-10 - 1e-12 * fabs(log_cell);
    /* 1 - (1 - p)^cells */
    double log_expected = log_cells + log_cell;
    if (log_expected < -30.0)
        return log_expected - 1e-12;
    double none = exp(log_cells) * log1p(-exp(log_cell));
    return log(-expm1(none)) - 1e-12;
}

static int check(const struct bound_setting *self)
{
    const uint64_t limit = UINT64_C(1) << 32;
    unsigned d = self->candidates;
    if (d < 2 || d > BOUND_CANDIDATES_MAX || self->bucket < 1 || self->bucket > BOUND_BUCKET_MAX ||
        self->keys > limit || self->buckets < 1 || self->buckets > limit)
        return ERR_DOMAIN;
    if (self->positions == BOUND_SPLIT)
        return self->buckets % d ? ERR_DOMAIN : 0;
    if (self->positions == BOUND_DISTINCT)
        return self->buckets < d ? ERR_DOMAIN : 0;
    return self->positions == BOUND_REPEAT ? 0 : ERR_DOMAIN;
}

int bound_failure(const struct bound_setting *self, struct bound_result *result)
{
    int status = check(self);
    if (status)
        return status;
    struct sums sums = {.setting = self,
                        .d = self->candidates,
                        .k = self->bucket,
                        .n = (double)self->keys,
                        .b = (double)self->buckets,
                        .log_sum = -INFINITY,
                        .largest = -INFINITY,
                        .previous = -INFINITY,
                        .log_beyond = -INFINITY};
    *result = (struct bound_result){0.0, 0.0, 0, 0};
    if (self->keys > self->buckets * self->bucket)
        return 0; /* more keys than slots: certain */
    double last = self->keys ? floor((sums.n - 1.0) / sums.k) : 0.0, t = 1.0;
    for (; t <= last && t <= SINGLE; t += 1.0)
        add_single(&sums, (unsigned)t);
    while (t <= last) {
        double end = fmin(last, t + floor(0.125 * sqrt(t)));
        add_block(&sums, t, end);
        t = end + 1.0;
    }
    result->log_upper = fmin(0.0, sums.log_sum);
    result->log_lower = fmin(log_smallest(&sums), result->log_upper);
    result->dominating = (uint64_t)sums.largest_t;
    result->converged = sums.log_sum < 0.0 && sums.log_beyond < sums.log_sum + log(0.01);
    return 0;
}
