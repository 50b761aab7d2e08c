/*
 * The peer "openmpi+norm": what a C programmer would write for tensor-parallel inference on CPUs. Every rank holds a
 * partial [tokens, hidden] in fp32; one operation is MPI_Allreduce, then residual add and RMSNorm of every row, in loops
 * that the compiler vectorises. Each rank writes the new residual and the normalised rows to memory of its own.
 *
 *   mpirun -n 2 openmpi_norm --tokens 1,64 --hidden 4096 --iterations 200 --warm-up 50
 *   mpirun -n 2 openmpi_norm --serve        requests from stdin: "TOKENS HIDDEN ITERATIONS WARM_UP", one a line
 *
 * Answers each size with one JSON object on a line of rank 0's stdout, in request order. A sample is the time of one
 * operation on the rank that took longest: each rank reads its clock before and after its own call, ranks are not held
 * together between calls, and the maximum over ranks is taken for each iteration. After the last iteration every element
 * is checked against a scalar computation in double; a wrong one makes "wrong" greater than 0.
 *
 * Between requests ranks sleep: whoever measures something else on the same cores meanwhile is not disturbed.
 */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EPS 1e-6f
#define ALIGNMENT 4096
#define RESIDUAL_SEED 1000000u
#define GAMMA_SEED 1000001u

/* What all ranks do next; in memory that they share. */
struct request {
    long tokens;
    long hidden;
    long iterations;
    long warm_up;
};

/* Rank 0 writes the request and then posts each rank's semaphore. */
struct mailbox {
    struct request request;
    sem_t wake[];
};

struct tensors {
    float *partial;
    float *residual;
    float *gamma;
    float *sum;
    float *residual_out;
    float *norm_out;
};

static int my_rank;
static int world;

static void fail(const char *what) {
    fprintf(stderr, "openmpi_norm: rank=%d %s\n", my_rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static float *allocate(long elements) {
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGNMENT, (size_t) elements * sizeof(float)) != 0) {
        fail("out of memory");
    }
    return memory;
}

/* An element of a tensor, from its seed and its place alone, in [-1, 1). */
static float element(uint32_t seed, long place) {
    uint64_t z = ((uint64_t) seed << 40) + (uint64_t) place * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    z ^= z >> 32;
    return (float) (int32_t) (z & 0xffffff) * 0x1p-23f - 1.0f;
}

static float gamma_element(long place) {
    return 1.0f + 0.5f * element(GAMMA_SEED, place);
}

static struct tensors make(const struct request *request) {
    long elements = request->tokens * request->hidden;
    struct tensors t = {
        .partial = allocate(elements),
        .residual = allocate(elements),
        .gamma = allocate(request->hidden),
        .sum = allocate(elements),
        .residual_out = allocate(elements),
        .norm_out = allocate(elements),
    };
    for (long i = 0; i < elements; i++) {
        t.partial[i] = element((uint32_t) my_rank, i);
        t.residual[i] = element(RESIDUAL_SEED, i);
        t.sum[i] = t.residual_out[i] = t.norm_out[i] = NAN;
    }
    for (long i = 0; i < request->hidden; i++) {
        t.gamma[i] = gamma_element(i);
    }
    return t;
}

static void release(struct tensors *t) {
    free(t->partial);
    free(t->residual);
    free(t->gamma);
    free(t->sum);
    free(t->residual_out);
    free(t->norm_out);
}

static void norm_row(const float *restrict sum, const float *restrict residual, const float *restrict gamma,
                     float *restrict residual_out, float *restrict norm_out, long hidden) {
    float squares = 0.0f;
    for (long i = 0; i < hidden; i++) {
        float updated = sum[i] + residual[i];
        residual_out[i] = updated;
        squares += updated * updated;
    }
    float scale = 1.0f / sqrtf(squares / (float) hidden + EPS);
    for (long i = 0; i < hidden; i++) {
        norm_out[i] = residual_out[i] * scale * gamma[i];
    }
}

/* The operation that is timed. */
static void operate(const struct request *request, struct tensors *t) {
    long hidden = request->hidden;
    /* One call, unless its count would not fit into an int. Cutting it finer, to find sums in the cache, gained nothing. */
    long rows = INT_MAX / hidden;
    for (long first = 0; first < request->tokens; first += rows) {
        long last = first + rows < request->tokens ? first + rows : request->tokens;
        MPI_Allreduce(t->partial + first * hidden, t->sum + first * hidden, (int) ((last - first) * hidden),
                      MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        for (long row = first; row < last; row++) {
            long at = row * hidden;
            norm_row(t->sum + at, t->residual + at, t->gamma, t->residual_out + at, t->norm_out + at, hidden);
        }
    }
}

static int differs(float found, double expected) {
    /* Written so that a NaN differs. */
    return !(fabs((double) found - expected) <= 1e-4 * (1.0 + fabs(expected)));
}

/* Elements of this rank's outputs that are wrong. */
static long check(const struct request *request, const struct tensors *t) {
    long wrong = 0;
    long hidden = request->hidden;
    double *row = malloc((size_t) hidden * sizeof(double));
    if (row == NULL) {
        fail("out of memory");
    }
    for (long token = 0; token < request->tokens; token++) {
        double squares = 0;
        for (long i = 0; i < hidden; i++) {
            long at = token * hidden + i;
            row[i] = element(RESIDUAL_SEED, at);
            for (int rank = 0; rank < world; rank++) {
                row[i] += element((uint32_t) rank, at);
            }
            squares += row[i] * row[i];
        }
        double scale = 1.0 / sqrt(squares / (double) hidden + (double) EPS);
        for (long i = 0; i < hidden; i++) {
            long at = token * hidden + i;
            wrong += differs(t->residual_out[at], row[i]);
            wrong += differs(t->norm_out[at], row[i] * scale * (double) gamma_element(i));
        }
    }
    free(row);
    return wrong;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t) time.tv_sec * 1000000000 + time.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left;
    int64_t b = *(const int64_t *) right;
    return (a > b) - (a < b);
}

static void report(const struct request *request, const int64_t *nanos, long wrong) {
    long n = request->iterations;
    int64_t *sorted = malloc((size_t) n * sizeof(int64_t));
    if (sorted == NULL) {
        fail("out of memory");
    }
    memcpy(sorted, nanos, (size_t) n * sizeof(int64_t));
    qsort(sorted, (size_t) n, sizeof(int64_t), ascending);
    double median = (double) (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    double p99 = (double) sorted[(n * 99 + 99) / 100 - 1];
    printf("{\"ranks\":%d,\"tokens\":%ld,\"hidden\":%ld,\"iterations\":%ld,\"wrong\":%ld,"
           "\"micros\":%.3f,\"p99Micros\":%.3f,\"nanos\":[",
           world, request->tokens, request->hidden, n, wrong, median / 1000.0, p99 / 1000.0);
    for (long i = 0; i < n; i++) {
        printf("%s%lld", i == 0 ? "" : ",", (long long) nanos[i]);
    }
    printf("]}\n");
    fflush(stdout);
    free(sorted);
}

static void measure(const struct request *request) {
    struct tensors t = make(request);
    int64_t *mine = malloc((size_t) request->iterations * sizeof(int64_t));
    int64_t *slowest = malloc((size_t) request->iterations * sizeof(int64_t));
    if (mine == NULL || slowest == NULL) {
        fail("out of memory");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < request->warm_up; i++) {
        operate(request, &t);
    }
    for (long i = 0; i < request->iterations; i++) {
        int64_t start = now();
        operate(request, &t);
        mine[i] = now() - start;
    }
    MPI_Reduce(mine, slowest, (int) request->iterations, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    long my_wrong = check(request, &t);
    long wrong = 0;
    MPI_Reduce(&my_wrong, &wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (my_rank == 0) {
        report(request, slowest, wrong);
    }
    free(mine);
    free(slowest);
    release(&t);
}

static int valid(const struct request *request) {
    return request->tokens >= 1 && request->hidden >= 1 && request->hidden <= 1 << 20 && request->iterations >= 1
           && request->iterations <= 1 << 24 && request->warm_up >= 0 && request->tokens <= (1L << 40) / request->hidden;
}

/* Rank 0 takes requests from stdin until it ends; the others sleep until they are woken. */
static void serve(void) {
    MPI_Win window;
    struct mailbox *mailbox;
    MPI_Aint size = my_rank == 0 ? (MPI_Aint) (sizeof(struct mailbox) + (size_t) world * sizeof(sem_t)) : 0;
    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mailbox, &window);
    int unit;
    MPI_Win_shared_query(window, 0, &size, &unit, &mailbox);
    if (my_rank == 0) {
        for (int rank = 0; rank < world; rank++) {
            if (sem_init(&mailbox->wake[rank], 1, 0) != 0) {
                fail("sem_init failed");
            }
        }
        printf("{\"ready\":true,\"ranks\":%d}\n", world);
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (;;) {
        if (my_rank == 0) {
            struct request next = {0};
            char line[256];
            if (fgets(line, sizeof line, stdin) != NULL) {
                if (sscanf(line, "%ld %ld %ld %ld", &next.tokens, &next.hidden, &next.iterations, &next.warm_up) != 4
                    || !valid(&next)) {
                    fail("bad request on stdin");
                }
            }
            mailbox->request = next;
            for (int rank = 1; rank < world; rank++) {
                sem_post(&mailbox->wake[rank]);
            }
        } else {
            while (sem_wait(&mailbox->wake[my_rank]) != 0) {
                /* Interrupted by a signal that did not end the process. */
            }
        }
        /* A copy: rank 0 writes the next request only after every rank has taken part in this one. */
        struct request request = mailbox->request;
        if (request.tokens == 0) {
            break;
        }
        measure(&request);
    }
    MPI_Win_free(&window);
}

static void usage(void) {
    if (my_rank == 0) {
        fprintf(stderr, "usage: openmpi_norm --serve | --tokens LIST --hidden N [--iterations N] [--warm-up N]\n");
    }
    MPI_Finalize();
    exit(2);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    char *tokens = NULL;
    struct request request = {.hidden = 0, .iterations = 200, .warm_up = 50};
    if (argc == 2 && strcmp(argv[1], "--serve") == 0) {
        serve();
        MPI_Finalize();
        return 0;
    }
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--tokens") == 0) {
            tokens = argv[i + 1];
        } else if (strcmp(argv[i], "--hidden") == 0) {
            request.hidden = strtol(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--iterations") == 0) {
            request.iterations = strtol(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--warm-up") == 0) {
            request.warm_up = strtol(argv[i + 1], NULL, 10);
        } else {
            usage();
        }
    }
    if (argc % 2 == 0 || tokens == NULL) {
        usage();
    }
    for (char *next = strtok(tokens, ","); next != NULL; next = strtok(NULL, ",")) {
        request.tokens = strtol(next, NULL, 10);
        if (!valid(&request)) {
            usage();
        }
        measure(&request);
    }
    MPI_Finalize();
    return 0;
}
