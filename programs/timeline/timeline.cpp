/// @file
/// Writes what a CUDA program did on the GPU, and when, as CSV.
///
/// The driver loads this library into any program that runs with CUDA_INJECTION64_PATH
/// set to it:
///
///     CUDA_INJECTION64_PATH=./libtimeline.so TIMELINE=run.csv ./program
///
/// Columns: `row` is "host" or a stream ("default", "stream 1", ... in the order of
/// creation); `kind` is api, kernel, copy or set; `name` is the call, the kernel, or
/// the direction; start and end are in microseconds from the first record. With
/// TIMELINE_HOST=1 the host's runtime calls are rows too. Source: CUPTI's activity API,
/// https://docs.nvidia.com/cupti/.
///
/// NVTX loads the library, too, where NVTX_INJECTION64_PATH is set to it: each range
/// that a thread pushes is then a row "ranges" of kind range. With TIMELINE_RANGE=name
/// the file holds only what began and ended while the range of that name was open.
/// Source: https://github.com/NVIDIA/NVTX, "Tools".

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <cupti.h>
#include <nvtx3/nvToolsExt.h>

#include <lockstep/cupti.hpp>

namespace {

constexpr std::size_t buffer_bytes = std::size_t(1) << 20;

/// Where a thing happened; the file names them in this order.
enum class place { ranges, host, gpu };

/// One thing that happened; times in nanoseconds on the GPU's clock as CUPTI gives it.
struct event {
    place where;
    std::uint32_t stream;
    std::string kind;
    std::string name;
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
};

std::mutex guard;
std::vector<event>& events() {
    // never destroyed: records arrive while the process ends
    static auto* all = new std::vector<event>;
    return *all;
}

/// A kernel's name without its parameters and template arguments.
std::string short_name(const char* mangled) {
    int status = 0;
    char* readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = status == 0 ? readable : mangled;
    std::free(readable);
    name = name.substr(0, name.find_first_of("(<"));
    return name.substr(name.rfind(' ') + 1);
}

const char* direction(std::uint8_t kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "host to device";
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "device to host";
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "device to device";
        case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return "device to other device";
        default: return "host to host";
    }
}

void keep(const CUpti_Activity* record) {
    switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto* kernel =
                reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            events().push_back({place::gpu, kernel->streamId, "kernel",
                                short_name(kernel->name), kernel->start, kernel->end});
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
            events().push_back({place::gpu, copy->streamId, "copy",
                                direction(copy->copyKind), copy->start, copy->end});
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto* set = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
            events().push_back(
                {place::gpu, set->streamId, "set", "memset", set->start, set->end});
            break;
        }
        case CUPTI_ACTIVITY_KIND_RUNTIME: {
            const auto* call = reinterpret_cast<const CUpti_ActivityAPI*>(record);
            const char* name = nullptr;
            if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, call->cbid, &name) !=
                CUPTI_SUCCESS)
                break;
            std::string text = name;
            text = text.substr(0, text.find("_v"));
            events().push_back({place::host, 0, "api", text, call->start, call->end});
            break;
        }
        default: break;
    }
}

void CUPTIAPI buffer_wanted(std::uint8_t** buffer, std::size_t* size,
                            std::size_t* max_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *max_records = 0;
}

void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    const std::lock_guard<std::mutex> lock(guard);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        keep(record);
    std::free(buffer);
}

/// Names the streams by their order of creation; the lowest number belongs to the
/// default stream.
std::map<std::uint32_t, std::string> stream_names() {
    std::map<std::uint32_t, std::string> names;
    for (const event& one : events())
        if (one.where == place::gpu) names[one.stream];
    // CUPTI's number for the legacy default stream
    constexpr std::uint32_t default_stream = 7;
    int next = 1;
    for (auto& [number, name] : names)
        name =
            number == default_stream ? "default" : "stream " + std::to_string(next++);
    return names;
}

std::uint64_t now_ns() {
    std::uint64_t time = 0;
    return cuptiGetTimestamp(&time) == CUPTI_SUCCESS ? time : 0;
}

/// The ranges that this thread has pushed and not popped yet.
thread_local std::vector<event> open_ranges;

int NVTX_API push_range(const char* name) {
    open_ranges.push_back({place::ranges, 0, "range", name, now_ns(), 0});
    return static_cast<int>(open_ranges.size()) - 1;
}

int NVTX_API push_range_with(const nvtxEventAttributes_t* what) {
    const bool plain = what->messageType == NVTX_MESSAGE_TYPE_ASCII;
    return push_range(plain && what->message.ascii ? what->message.ascii : "range");
}

int NVTX_API push_range_of(nvtxDomainHandle_t, const nvtxEventAttributes_t* what) {
    return push_range_with(what);
}

int NVTX_API pop_range() {
    if (open_ranges.empty()) return -1;
    event closed = open_ranges.back();
    open_ranges.pop_back();
    closed.end_ns = now_ns();
    const std::lock_guard<std::mutex> lock(guard);
    events().push_back(closed);
    return static_cast<int>(open_ranges.size());
}

int NVTX_API pop_range_of(nvtxDomainHandle_t) { return pop_range(); }

/// Drops what is not within the range that TIMELINE_RANGE names, and that range.
void keep_range() {
    const char* name = std::getenv("TIMELINE_RANGE");
    if (!name) return;
    auto& all = events();
    const auto range = std::find_if(all.begin(), all.end(), [&](const event& one) {
        return one.where == place::ranges && one.name == name;
    });
    if (range == all.end()) {
        std::fprintf(stderr, "timeline: no range is called %s\n", name);
        return;
    }
    const std::uint64_t begin = range->begin_ns;
    const std::uint64_t end = range->end_ns;
    all.erase(range);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const event& one) {
                                 return one.begin_ns < begin || one.end_ns > end;
                             }),
              all.end());
}

void write_file() {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard<std::mutex> lock(guard);
    const std::string path = std::getenv("TIMELINE");
    std::FILE* file = std::fopen((path + ".part").c_str(), "w");
    if (!file) {
        std::fprintf(stderr, "timeline: cannot write %s\n", path.c_str());
        return;
    }
    keep_range();
    auto names = stream_names();
    auto& all = events();
    std::uint64_t first = UINT64_MAX;
    for (const event& one : all) first = std::min(first, one.begin_ns);
    std::stable_sort(all.begin(), all.end(), [](const event& a, const event& b) {
        if (a.where != b.where) return a.where < b.where;
        if (a.stream != b.stream) return a.stream < b.stream;
        return a.begin_ns < b.begin_ns;
    });
    std::fprintf(file, "row,kind,name,~start_us,~end_us\n");
    for (const event& one : all)
        std::fprintf(file, "%s,%s,%s,%.2f,%.2f\n",
                     one.where == place::ranges ? "ranges"
                     : one.where == place::host ? "host"
                                                : names[one.stream].c_str(),
                     one.kind.c_str(), one.name.c_str(), (one.begin_ns - first) * 1e-3,
                     (one.end_ns - first) * 1e-3);
    if (std::fclose(file) != 0 ||
        std::rename((path + ".part").c_str(), path.c_str()) != 0)
        std::fprintf(stderr, "timeline: cannot write %s\n", path.c_str());
}

}  // namespace

/// The driver calls this once, when the program first uses CUDA.
/// @return 1 on success
extern "C" int InitializeInjection() {
    if (!std::getenv("TIMELINE")) {
        std::fprintf(stderr, "timeline: set TIMELINE to the file to write\n");
        return 0;
    }
    lockstep::check(cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full));
    lockstep::check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    lockstep::check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY));
    lockstep::check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET));
    if (std::getenv("TIMELINE_HOST"))
        lockstep::check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME));
    std::atexit(write_file);
    return 1;
}

/// NVTX calls this once, when the program first uses it.
/// @param table_of  gives NVTX's tables of functions, which a tool replaces
/// @return 1 on success
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
    const auto* callbacks =
        static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable core = nullptr;
    NvtxFunctionTable domains = nullptr;
    unsigned size = 0;
    if (!callbacks ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size) ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &domains, &size))
        return 0;
    const auto set = [](NvtxFunctionTable table, int id, auto* function) {
        *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
    };
    set(core, NVTX_CBID_CORE_RangePushA, push_range);
    set(core, NVTX_CBID_CORE_RangePushEx, push_range_with);
    set(core, NVTX_CBID_CORE_RangePop, pop_range);
    set(domains, NVTX_CBID_CORE2_DomainRangePushEx, push_range_of);
    set(domains, NVTX_CBID_CORE2_DomainRangePop, pop_range_of);
    return 1;
}
