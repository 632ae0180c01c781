/* SPDX-License-Identifier: Apache-2.0
 * Open MPI by dlopen. Only its own symbol names are known here; other MPI libraries are refused. */
#include "trainer/ranks.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct {
    void *library, *world, *type_double, *sum;
    int (*init)(int *argc, char ***argv);
    int (*finalize)(void);
    int (*abort)(void *communicator, int code);
    int (*rank)(void *communicator, int *rank);
    int (*size)(void *communicator, int *size);
    int (*allreduce)(const void *from, void *to, int count, void *type, void *operation,
                     void *communicator);
} mpi;

static void reduce(void *context, double *values, size_t count)
{
    (void)context;
    mpi.allreduce((void *)1 /* MPI_IN_PLACE of Open MPI */, values, (int)count, mpi.type_double,
                  mpi.sum, mpi.world);
}

static bool refuse(Diags *diags, const char *what)
{
    diag_add(diags, DIAG_ERROR, NULL, 0, 0, "started by mpirun, but %s", what);
    diag_help(diags, "install Open MPI's run-time library (libopenmpi3), or start without mpirun");
    return false;
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

bool ranks_open(Ranks *ranks, Diags *diags)
{
    *ranks = (Ranks){.ranks = 1, .locals = 1};
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    if (!size) {
        if (getenv("PMI_SIZE") && atoi(getenv("PMI_SIZE")) > 1)
            return refuse(diags, "this is not Open MPI's mpirun");
        return true;
    }
    if (atoi(size) < 2)
        return true;
    mpi.library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
    if (!mpi.library)
        return refuse(diags, "libmpi.so.40 is not there");
    const struct {
        void **to;
        const char *name;
    } symbols[] = {
        {(void **)(void *)&mpi.init, "MPI_Init"},
        {(void **)(void *)&mpi.finalize, "MPI_Finalize"},
        {(void **)(void *)&mpi.abort, "MPI_Abort"},
        {(void **)(void *)&mpi.rank, "MPI_Comm_rank"},
        {(void **)(void *)&mpi.size, "MPI_Comm_size"},
        {(void **)(void *)&mpi.allreduce, "MPI_Allreduce"},
        {&mpi.world, "ompi_mpi_comm_world"},
        {&mpi.type_double, "ompi_mpi_double"},
        {&mpi.sum, "ompi_mpi_op_sum"},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i)
        if (!(*symbols[i].to = dlsym(mpi.library, symbols[i].name)))
            return refuse(diags, "libmpi.so.40 is not Open MPI's");
    if (mpi.init(NULL, NULL) != 0)
        return refuse(diags, "MPI_Init failed");
    mpi.rank(mpi.world, &ranks->rank);
    mpi.size(mpi.world, &ranks->ranks);
    ranks->local = number("OMPI_COMM_WORLD_LOCAL_RANK", 0);
    ranks->locals = number("OMPI_COMM_WORLD_LOCAL_SIZE", 1);
    ranks->reduce = reduce;
    return true;
}

void ranks_close(bool failed)
{
    if (mpi.world && failed)
        mpi.abort(mpi.world, 1);
    else if (mpi.world)
        mpi.finalize();
}
