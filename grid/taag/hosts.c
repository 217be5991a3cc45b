/* Queries about hosts. */
#include <string.h>

#include "grid/taag/context.h"

/* Processes on a host: their number, and the first `most` of them. */
static int processes_on(const Mapping *m, int32_t host, int most, int *ranks)
{
    int count = 0;
    for (int rank = 0; rank < m->process_count; rank++)
        if (m->host_of[rank] == host) {
            if (count < most)
                ranks[count] = rank;
            count++;
        }
    return count;
}

static int begin_host(const char *call, int rank, const void *result, const Mapping **m)
{
    int status = taag_begin(call, result, m);
    return status ? status : taag_check_rank(call, rank);
}

int TAAG_Host_number(int *nr)
{
    const Mapping *m;
    int status = taag_begin(__func__, nr, &m), count = 0;
    for (int32_t host = 0; !status && host < m->host_count; host++)
        count += processes_on(m, host, 0, NULL) > 0;
    if (!status)
        *nr = count;
    return status;
}

int TAAG_Host_address(int rank, char *address)
{
    const Mapping *m;
    int status = begin_host(__func__, rank, address, &m);
    if (!status)
        strcpy(address, m->hosts[m->host_of[rank]].name); /* mapping_read: MAPPING_NAME bytes */
    return status;
}

int TAAG_Host_properties(int rank, int *nrCPUs, int *nrProcs)
{
    const Mapping *m;
    int status = begin_host(__func__, rank, nrCPUs && nrProcs ? nrCPUs : NULL, &m);
    if (status)
        return status;
    *nrCPUs = m->hosts[m->host_of[rank]].places;
    *nrProcs = processes_on(m, m->host_of[rank], 0, NULL);
    return TAAG_SUCCESS;
}

int TAAG_Host_processes(int rank, int nr, int *ranks)
{
    const Mapping *m;
    int status = begin_host(__func__, rank, "", &m);
    if (status || (status = taag_check_count(__func__, nr,
                                             processes_on(m, m->host_of[rank], 0, NULL), ranks)))
        return status;
    (void)processes_on(m, m->host_of[rank], nr, ranks);
    return TAAG_SUCCESS;
}

int TAAG_Host_latency(int rank1, int rank2, double *latency)
{
    const Mapping *m;
    int status = begin_host(__func__, rank1, latency, &m);
    if (status || (status = taag_check_rank(__func__, rank2)))
        return status;
    size_t a = (size_t)m->host_of[rank1], b = (size_t)m->host_of[rank2];
    *latency = 1e3 * m->latency[a * (size_t)m->host_count + b];
    return TAAG_SUCCESS;
}

int TAAG_Host_cluster(int rank, int *cluster)
{
    const Mapping *m;
    int status = begin_host(__func__, rank, cluster, &m);
    if (!status)
        *cluster = taag_context()->cluster_of[m->host_of[rank]];
    return status;
}
