/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reading the topology with hwloc. The library is opened when it is needed, and closed again: few processes divide a
 * device, and all others shall not map it, nor fail to start where it is missing. It opens plugins and files that the
 * environment names (HWLOC_PLUGINS_PATH), so a process with more rights than its user does without. */
#include "host/runtime/machine/topology.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include <hwloc.h>

#include "base/log.h"
#include "base/process.h"

/* The functions of hwloc.h that are used, none of them inline there. */
#define HWLOC_FUNCTIONS(FUNCTION)         \
  FUNCTION(get_api_version)               \
  FUNCTION(topology_init)                 \
  FUNCTION(topology_set_all_types_filter) \
  FUNCTION(topology_set_type_filter)      \
  FUNCTION(topology_load)                 \
  FUNCTION(topology_destroy)              \
  FUNCTION(topology_is_thissystem)        \
  FUNCTION(get_type_depth)                \
  FUNCTION(get_nbobjs_by_depth)           \
  FUNCTION(get_obj_by_depth)              \
  FUNCTION(bitmap_isset)

/* The library with the interface of this header. */
#define HWLOC_LIBRARY "libhwloc.so.15"

typedef struct hwloc_t {
  void *library;
  hwloc_topology_t topology;
#define MEMBER(name) __typeof__(hwloc_##name) *name;
  HWLOC_FUNCTIONS(MEMBER)
#undef MEMBER
} hwloc_t;

static const hwloc_obj_type_t domain_types[host_domain_count] = {
    [host_domain_numa] = HWLOC_OBJ_NUMANODE, [host_domain_l4] = HWLOC_OBJ_L4CACHE, [host_domain_l3] = HWLOC_OBJ_L3CACHE,
    [host_domain_l2] = HWLOC_OBJ_L2CACHE,    [host_domain_l1] = HWLOC_OBJ_L1CACHE,
};

static host_topology_t machine_topology;
static pthread_mutex_t machine_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------- the library */

static bool functions_find(hwloc_t *hwloc) {
#define FIND(name)                                                \
  *(void **)&hwloc->name = dlsym(hwloc->library, "hwloc_" #name); \
  if (!hwloc->name) return false;
  HWLOC_FUNCTIONS(FIND)
#undef FIND
  return hwloc->get_api_version() >> 16 == HWLOC_API_VERSION >> 16;
}

/* Only what is asked for below; looking at devices would take many times as long. A memory node belongs to an object
 * with just its processors: where no cache has these, as with several caches in a node or several nodes behind one,
 * that is a group, without which it would be said to have those of a larger object. */
static bool topology_load(hwloc_t *hwloc) {
  if (hwloc->topology_init(&hwloc->topology)) return false;
  hwloc->topology_set_all_types_filter(hwloc->topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (int i = host_domain_l4; i < host_domain_count; ++i)
    hwloc->topology_set_type_filter(hwloc->topology, domain_types[i], HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc->topology_set_type_filter(hwloc->topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  if (!hwloc->topology_load(hwloc->topology)) return true;
  hwloc->topology_destroy(hwloc->topology);
  return false;
}

static bool hwloc_open(hwloc_t *hwloc) {
  hwloc->library = dlopen(HWLOC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!hwloc->library) return false;
  if (functions_find(hwloc) && topology_load(hwloc)) return true;
  dlclose(hwloc->library);
  return false;
}

static void hwloc_close(hwloc_t *hwloc) {
  hwloc->topology_destroy(hwloc->topology);
  dlclose(hwloc->library);
}

/* ---------------------------------------------------------------- reading */

static int16_t domain_find(const hwloc_t *hwloc, hwloc_obj_type_t type, uint32_t cpu, int16_t *out_number) {
  int depth = hwloc->get_type_depth(hwloc->topology, type);
  if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE) return -1;
  unsigned count = hwloc->get_nbobjs_by_depth(hwloc->topology, depth);
  for (unsigned i = 0; i < count && i < INT16_MAX; ++i) {
    hwloc_obj_t object = hwloc->get_obj_by_depth(hwloc->topology, depth, i);
    if (!object->cpuset || !hwloc->bitmap_isset(object->cpuset, cpu)) continue;
    if (object->os_index <= INT16_MAX) *out_number = (int16_t)object->os_index;
    return (int16_t)i;
  }
  return -1;
}

static void cpu_add(host_topology_t *topology, uint32_t cpu) {
  host_topology_cpu_t *added = &topology->cpus[topology->count++];
  added->cpu = cpu;
  for (int i = 0; i < host_domain_count; ++i) added->domain[i] = -1;
  added->node = -1;
}

static void cpus_read(host_topology_t *topology, const hwloc_t *hwloc, const host_cpus_t *allowed) {
  int depth = hwloc->get_type_depth(hwloc->topology, HWLOC_OBJ_PU);
  unsigned count = hwloc->get_nbobjs_by_depth(hwloc->topology, depth);
  topology->is_real = hwloc->topology_is_thissystem(hwloc->topology);
  for (unsigned i = 0; i < count && topology->count < HOST_CPU_LIMIT; ++i) {
    uint32_t cpu = hwloc->get_obj_by_depth(hwloc->topology, depth, i)->os_index;
    if (topology->is_real && (cpu >= HOST_CPU_LIMIT || !host_cpus_have(allowed, cpu))) continue;
    cpu_add(topology, cpu);
    host_topology_cpu_t *added = &topology->cpus[topology->count - 1];
    for (int domain = 0; domain < host_domain_count; ++domain) {
      int16_t ignored;
      int16_t *number = domain == host_domain_numa ? &added->node : &ignored;
      added->domain[domain] = domain_find(hwloc, domain_types[domain], cpu, number);
    }
  }
}

/* Without a mask one processor stands for all. */
static void cpus_number(host_topology_t *topology, const host_cpus_t *allowed) {
  topology->is_real = true;
  for (uint32_t cpu = 0; cpu < HOST_CPU_LIMIT; ++cpu)
    if (host_cpus_have(allowed, cpu)) cpu_add(topology, cpu);
  if (topology->count) return;
  topology->is_real = false;
  cpu_add(topology, 0);
}

void host_topology_read(host_topology_t *topology, const host_cpus_t *allowed) {
  hwloc_t hwloc;
  topology->count = 0;
  if (!process_has_more_rights() && hwloc_open(&hwloc)) {
    cpus_read(topology, &hwloc, allowed);
    hwloc_close(&hwloc);
  } else {
    log_write(log_threads, "no topology: " HWLOC_LIBRARY " cannot be used");
  }
  if (!topology->count) cpus_number(topology, allowed);
}

void host_topology_lock(void) { pthread_mutex_lock(&machine_mutex); }
void host_topology_unlock(void) { pthread_mutex_unlock(&machine_mutex); }

const host_topology_t *host_topology_get(const host_cpus_t *allowed) {
  host_topology_lock();
  if (!machine_topology.count) host_topology_read(&machine_topology, allowed);
  host_topology_unlock();
  return &machine_topology;
}
