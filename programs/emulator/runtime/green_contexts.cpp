// Resources of SMs, and how they are divided.

#include "green_contexts.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace emulator {

namespace {

// What stands in the part of a resource that programs do not look at.
struct inside {
    uint64_t sms[3];
};
static_assert(sizeof(inside) <= sizeof CUdevResource::_internal_padding);
static_assert(hardware::multiprocessors <= 3 * 64);

constexpr unsigned any_sms = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;

// A run of SMs of one GPU processing cluster is what a group can be made of; what is left of a
// cluster after that goes into no group.
std::vector<sm_bits> units_of(const sm_bits& sms, unsigned unit) {
    std::vector<sm_bits> units;
    unsigned first = 0;
    for (const unsigned size : hardware::cluster_sizes) {
        sm_bits collected;
        for (unsigned sm = first; sm < first + size; ++sm) {
            if (!sms[sm]) continue;
            collected.set(sm);
            if (collected.count() < unit) continue;
            units.push_back(collected);
            collected.reset();
        }
        first += size;
    }
    return units;
}

unsigned rounded_size(unsigned wanted, unsigned unit) {
    return std::max(rounded_up(wanted, unit), unit);
}

}  // namespace

CUdevResource resource_of(const sm_bits& sms, unsigned stated, unsigned least, unsigned alignment) {
    CUdevResource made{};
    made.type = CU_DEV_RESOURCE_TYPE_SM;
    inside own{};
    for (size_t sm = 0; sm < sms.size(); ++sm)
        if (sms[sm]) own.sms[sm / 64] |= uint64_t(1) << sm % 64;
    memcpy(made._internal_padding, &own, sizeof own);
    made.sm.smCount = stated;
    made.sm.minSmPartitionSize = least;
    made.sm.smCoscheduledAlignment = alignment;
    return made;
}

CUdevResource whole_device() {
    return resource_of(sm_bits().set(), hardware::multiprocessors, hardware::sm_group_unit,
                       hardware::sm_group_unit);
}

bool is_of_sms(const CUdevResource& resource) { return resource.type == CU_DEV_RESOURCE_TYPE_SM; }

sm_bits sms_of(const CUdevResource& resource) {
    inside own;
    memcpy(&own, resource._internal_padding, sizeof own);
    sm_bits sms;
    for (size_t sm = 0; sm < sms.size(); ++sm) sms[sm] = own.sms[sm / 64] >> sm % 64 & 1;
    return sms;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* made, CUdevResourceType type) {
    return in_driver([=] {
        if (!made) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        *made = whole_device();
        return CUDA_SUCCESS;
    });
}

// Flags that do not exist are passed over, and fewer groups than asked for are no error.
CUresult cuDevSmResourceSplitByCount(CUdevResource* groups, unsigned* count,
                                     const CUdevResource* all, CUdevResource* rest, unsigned flags,
                                     unsigned least) {
    return in_driver([=] {
        if (!count || !all) return CUDA_ERROR_INVALID_VALUE;
        if (!is_of_sms(*all)) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        // What a split has made can be divided once a context has been made of it.
        if (all->sm.smCoscheduledAlignment == 0 || least > all->sm.smCount)
            return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        const unsigned unit =
            flags & any_sms ? hardware::sm_group_unit_of_any : hardware::sm_group_unit;
        const std::vector<sm_bits> units = units_of(sms_of(*all), unit);
        const unsigned size = rounded_size(least, unit);
        const unsigned possible = unsigned(units.size()) / (size / unit);
        if (possible == 0) {
            fflush(stdout);
            fprintf(stderr,
                    "emulator: cuDevSmResourceSplitByCount: the emulator does not know what a GPU "
                    "makes of groups of %u SMs\n",
                    size);
            return CUDA_ERROR_NOT_SUPPORTED;
        }
        if (!groups) {
            *count = possible;
            return CUDA_SUCCESS;
        }
        *count = std::min(*count, possible);
        sm_bits left = sms_of(*all);
        for (unsigned i = 0; i < *count; ++i) {
            sm_bits sms;
            for (unsigned one = 0; one < size / unit; ++one) sms |= units[i * (size / unit) + one];
            left &= ~sms;
            groups[i] = resource_of(sms, size, 0, 0);
        }
        if (rest) *rest = resource_of(left, unsigned(left.count()), 0, 0);
        return CUDA_SUCCESS;
    });
}

}  // extern "C"
