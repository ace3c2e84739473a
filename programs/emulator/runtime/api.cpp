// The CUDA runtime API. Every function takes the one lock, works on the queue of work, and remembers its error.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#ifndef __wasm__
#include <atomic>
#include <mutex>
#include <thread>
#endif

#include "properties.hpp"
#include "streams.hpp"

namespace emulator {
namespace {

#ifdef __wasm__
struct Lock {};
#else
std::recursive_mutex entrance;
struct Lock {
    std::lock_guard<std::recursive_mutex> guard{entrance};
};
#endif

void touch();  // the host has called

thread_local cudaError_t last_error;
const void* this_thread() { return &last_error; }
bool in_host_function;  // whose calls are refused

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    return error;
}

bool lost_device;  // by a fault: only a new process gets it again
bool context;                                       // made by the first call that needs one
std::vector<std::vector<unsigned char>> first_values;  // of the device's variables, for a context made anew

void make_context() {
    if (context) return;
    context = true;
    for (const ManagedVariable* v = __emu_managed; v->place; ++v) add_managed(v->place, *v->size);
    for (int i = 0; i < __emu_variable_count; ++i) {
        auto* place = static_cast<unsigned char*>(__emu_variables[i].place);
        const size_t bytes = __emu_variables[i].bytes();
        if (first_values.size() <= size_t(i))
            first_values.emplace_back(place, place + bytes);
        else
            memcpy(place, first_values[i].data(), bytes);
    }
}

// Runs the body of an API function that needs no context.
template <class F>
cudaError_t look(F&& body) {
    Lock lock;
    (void)lock;
    return in_host_function ? remember(cudaErrorNotPermitted) : remember(body());
}

cudaError_t refuse(cudaError_t error) {
    return look([=] { return error; });
}

// Runs the body of an API function.
template <class F>
cudaError_t enter(F&& body) {
    Lock lock;
    (void)lock;
    touch();
    if (in_host_function) return remember(cudaErrorNotPermitted);
    if (sticky != cudaSuccess) return remember(sticky);
    if (lost_device) return remember(cudaErrorDevicesUnavailable);
    make_context();
    return remember(body());
}

// The same, for functions that also wait: what the work does wrong is theirs to report.
cudaError_t finished(const Work& work) {
    finish(work);
    return sticky;
}

struct KernelSettings {
    int most_dynamic_shared = int(limits.shared_bytes);
    bool opted_in = false;  // to more than a kernel gets without asking
    int carveout = -1;
    bool non_portable_cluster = false;
};
std::map<const Kernel*, KernelSettings> settings;

struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
#ifdef __wasm__
std::vector<Configuration> configurations;
#else
thread_local std::vector<Configuration> configurations;
#endif

uint64_t volume(dim3 d) { return uint64_t(d.x) * d.y * d.z; }

// Registers are given to warps in pieces of 256.
int registers_of_warp(const Kernel& kernel) { return (kernel.registers * 32 + 255) / 256 * 256; }
int most_threads(const Kernel& kernel) {
    return std::min(kernel.most_threads, 65536 / registers_of_warp(kernel) / 4 * 4 * 32);
}

bool shared_fits(const Kernel& kernel, size_t dynamic) {
    const KernelSettings& setting = settings[&kernel];
    const size_t all = static_shared_bytes(kernel) + dynamic;
    return dynamic <= size_t(setting.most_dynamic_shared) &&
           all <= (setting.opted_in ? limits.shared_bytes_opt_in : limits.shared_bytes);
}

int resident_blocks(const Kernel& kernel, int threads, size_t dynamic_shared) {
    if (!shared_fits(kernel, dynamic_shared)) return 0;
    const size_t shared = (static_shared_bytes(kernel) + dynamic_shared + 1024 + 127) / 128 * 128;
    const int warps = (threads + 31) / 32;
    const int by_registers = 65536 / (registers_of_warp(kernel)) / 4 * 4 / warps;
    return std::min({64 / warps, 32, by_registers, int(limits.shared_bytes_of_multiprocessor / shared)});
}

// The legacy default stream waits for blocking streams, which cannot be while one of them is captured.
bool spoils_implicitly(Stream& stream) {
    return &stream == stream_of(nullptr) && lose_captures([](const Stream& captured) { return captured.blocking; });
}

// Calls that may make the device wait spoil captures, unless these are relaxed.
bool spoils_by_waiting() {
    return lose_captures([](const Stream& captured) {
        const Capture& capture = *captured.capture;
        return capture.mode == cudaStreamCaptureModeGlobal ||
               (capture.mode == cudaStreamCaptureModeThreadLocal && capture.thread == this_thread());
    });
}

// What the hardware allows; the driver answers most of these with an invalid value.
cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared, Stream& stream,
                   dim3 cluster, bool cooperative) {
    Kernel* kernel = find_kernel(stub);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const dim3 own(kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]);
    if (volume(cluster) == 0) cluster = own;
    if (volume(cluster) == 0) cluster = dim3(1);
    if (volume(own) != 0 && (own.x != cluster.x || own.y != cluster.y || own.z != cluster.z))
        return cudaErrorInvalidClusterSize;
    if (volume(grid) == 0 || volume(block) == 0 || volume(block) > limits.threads || block.x > 1024 || block.y > 1024 ||
        block.z > 64 || grid.x > 2147483647U || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(kernel->most_threads)) return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(most_threads(*kernel))) return cudaErrorLaunchOutOfResources;
    KernelSettings& setting = settings[kernel];
    if (!shared_fits(*kernel, shared)) return cudaErrorInvalidValue;
    const uint64_t blocks = volume(cluster);
    if (blocks > 1) {
        if (blocks > (setting.non_portable_cluster ? limits.cluster_blocks_non_portable : limits.cluster_blocks))
            return cudaErrorInvalidClusterSize;
        if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z) return cudaErrorInvalidClusterSize;
    }
    if (cooperative) {
        const uint64_t resident =
            uint64_t(limits.multiprocessors) * resident_blocks(*kernel, int(volume(block)), shared);
        if (volume(grid) > resident) return cudaErrorCooperativeLaunchTooLarge;
    }
    Launch made{kernel, grid, block, cluster, shared, cooperative, {}};
    for (int i = 0; kernel->sizes[i] >= 0; ++i) {
        const auto* begin = static_cast<const unsigned char*>(arguments[i]);
        made.values.emplace_back(begin, begin + kernel->sizes[i]);
    }
    enqueue(stream, std::move(made));
    return cudaSuccess;
}

// -- copies
// ------------------------------------------------------------------------------------------------------------------

enum class Side { pageable, pinned, managed, device, bad };

// The kernels' heap is none of the host's business.
Allocation* host_allocation(const void* p) {
    Allocation* found = find_allocation(p);
    return found && found->kind != heap_memory ? found : nullptr;
}

Side side_of(const void* p) {
    if (const Allocation* allocation = host_allocation(p)) {
        switch (allocation->kind) {
            case device_memory: return Side::device;
            case managed_memory: return Side::managed;
            default: return Side::pinned;
        }
    }
    if (find_variable(p)) return Side::device;
    return in_arena(p) ? Side::bad : Side::pageable;
}

// Whether a range lies within its allocation.
bool fits(const void* p, size_t bytes) {
    if (const Allocation* allocation = host_allocation(p))
        return bytes <= allocation->bytes - (uintptr_t(p) - allocation->begin);
    if (const Variable* variable = find_variable(p))
        return bytes <= variable->bytes() - (uintptr_t(p) - uintptr_t(variable->place));
    return true;
}

bool direction_holds(Side to, Side from, cudaMemcpyKind kind) {
    if (to == Side::bad || from == Side::bad) return false;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) return true;
    if (to_device && to == Side::pageable) return false;
    if (from_device && from == Side::pageable) return false;
    if (!to_device && to == Side::device) return false;
    return from_device || from != Side::device;
}

void move(void* to, const void* from, size_t bytes) {
    memmove(to, from, bytes);
    copy_states(to, from, bytes);
}

// Rows of `width` bytes; a plain copy is one row.
cudaError_t copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                 cudaMemcpyKind kind, Stream& stream, bool wait) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!to || !from) return cudaErrorInvalidValue;
    for (const size_t pitch : {to_pitch, from_pitch}) {
        if (pitch < width && height > 1) return cudaErrorInvalidPitchValue;
        if (pitch < width && pitch != 0) return cudaErrorInvalidValue;
    }
    const Side to_side = side_of(to), from_side = side_of(from);
    if (!stream.capture && !direction_holds(to_side, from_side, kind)) return cudaErrorInvalidValue;
    if (!fits(to, to_pitch * (height - 1) + width) || !fits(from, from_pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    const auto rows = [=](const unsigned char* source, size_t source_pitch) {
        for (size_t row = 0; row < height; ++row)
            move(static_cast<unsigned char*>(to) + row * to_pitch, source + row * source_pitch, width);
        return cudaSuccess;
    };
    const auto* source = static_cast<const unsigned char*>(from);
    if (!wait && !stream.capture && from_side == Side::pageable && to_side != Side::pageable) {
        // Pageable memory is staged before the call returns: a change afterwards does not count. A graph reads it each
        // time.
        auto staged = std::make_shared<std::vector<unsigned char>>(width * height);
        for (size_t row = 0; row < height; ++row)
            memcpy(staged->data() + row * width, source + row * from_pitch, width);
        enqueue(stream, [=] { return rows(staged->data(), width); });
        return cudaSuccess;
    }
    const Work work = enqueue(stream, [=] { return rows(source, from_pitch); });
    const auto on_host = [](Side side) { return side == Side::pageable || side == Side::pinned; };
    const bool within_device = to_side == Side::device && from_side == Side::device;
    const bool within_host = on_host(to_side) && on_host(from_side);
    return (wait && !within_device) || to_side == Side::pageable || within_host ? finished(work) : cudaSuccess;
}

// Rows of `width` bytes. A host that sees the memory finds it filled, unless the call is meant not to wait.
cudaError_t fill(void* to, size_t pitch, int value, size_t width, size_t height, Stream& stream, bool wait) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && pitch < width) return cudaErrorInvalidValue;
    const Side side = side_of(to);
    if (!to || side == Side::bad || side == Side::pageable || !fits(to, pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    const Work work = enqueue(stream, [=] {
        for (size_t row = 0; row < height; ++row) {
            unsigned char* begin = static_cast<unsigned char*>(to) + row * pitch;
            memset(begin, value, width);
            mark_initialised(begin, width);
        }
        return cudaSuccess;
    });
    return wait && side != Side::device ? finished(work) : cudaSuccess;
}

// -- graphs: what a stream captured, to be put into streams again
// -----------------------------------------------------------

struct Graph {
    std::vector<Captured> operations;
};

// The host may not wait for what is only noted down; who tries loses the capture.
bool spoils(Stream& stream) {
    if (stream.capture) stream.capture->lost = true;
    return bool(stream.capture);
}

void end_capture(Capture& capture) {
    for (Stream* stream : capture.joined) stream->capture = nullptr;
    capture.origin->capture = nullptr;
}

// -- driver API: the functions that programs ask for by name
// ------------------------------------------------------------------

int driver_context_state(int, unsigned* flags, int* active) {
    *flags = 0;
    *active = context;
    return 0;
}
int driver_current_context(void** found) {
    *found = context ? &context : nullptr;
    return 0;
}
int driver_device(int* device, int number) {
    *device = number;
    return number == 0 ? 0 : int(cudaErrorInvalidDevice);
}
int driver_name(char* name, int length, int) {
    snprintf(name, size_t(length), "%s", properties().name);
    return 0;
}
int driver_attribute(int* value, int which, int) {
    return attribute(value, cudaDeviceAttr(which)) ? 0 : int(cudaErrorInvalidValue);
}
int driver_memory(size_t* bytes, int) {
    *bytes = properties().totalGlobalMem;
    return 0;
}
int driver_fill(uintptr_t place, unsigned value, size_t count) {
    for (size_t i = 0; i < count; ++i) memcpy(reinterpret_cast<char*>(place) + 4 * i, &value, 4);
    mark_initialised(reinterpret_cast<void*>(place), 4 * count);
    return 0;
}
const struct {
    const char* name;
    void* function;
} driver_functions[] = {
    {"cuDevicePrimaryCtxGetState", reinterpret_cast<void*>(driver_context_state)},
    {"cuCtxGetCurrent", reinterpret_cast<void*>(driver_current_context)},
    {"cuDeviceGet", reinterpret_cast<void*>(driver_device)},
    {"cuDeviceGetName", reinterpret_cast<void*>(driver_name)},
    {"cuDeviceGetAttribute", reinterpret_cast<void*>(driver_attribute)},
    {"cuDeviceTotalMem", reinterpret_cast<void*>(driver_memory)},
    {"cuMemsetD32", reinterpret_cast<void*>(driver_fill)},
};

ManagedVariable variable_of(const void* shadow) {  // its place is null if there is none such
    for (int i = 0; i < __emu_variable_count; ++i)
        if (__emu_variables[i].shadow == shadow) return {__emu_variables[i].place, __emu_variables[i].size};
    const ManagedVariable* managed = __emu_managed;  // of these, both sides see the same
    while (managed->place && managed->place != shadow) ++managed;
    return *managed;
}

cudaError_t symbol_range(const void* symbol, size_t offset, size_t bytes, unsigned char** place) {
    const ManagedVariable variable = variable_of(symbol);
    if (!variable.place) return cudaErrorInvalidSymbol;
    if (offset > *variable.size || bytes > *variable.size - offset) return cudaErrorInvalidValue;
    *place = static_cast<unsigned char*>(variable.place) + offset;
    return cudaSuccess;
}

uint64_t now() {
    return uint64_t(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

struct Begin {  // before main
    Begin() {
        if (const char* text = getenv("EMULATOR_SEED")) seed = strtoull(text, nullptr, 10);
    }
} begin;

#ifndef __wasm__
// A host that waits for the device without a call, at memory that both see, would wait for ever: after a while of no
// calls, the work goes on by itself.
std::atomic<uint64_t> last_call;
constexpr auto patience = std::chrono::milliseconds(100);
void touch() {
    static std::thread watcher = [] {
        std::thread made([] {
            for (;;) {
                std::this_thread::sleep_for(patience / 2);
                if (now() - last_call < uint64_t(std::chrono::nanoseconds(patience).count())) continue;
                Lock lock;
                if (sticky == cudaSuccess) work_for_a_while();
            }
        });
        made.detach();
        return made;
    }();
    last_call = now();
}
#else
void touch() {}
#endif

}  // namespace

Kernel* find_kernel(const void* stub) {
    for (int i = 0; i < __emu_kernel_count; ++i)
        if (__emu_kernels[i].stub == stub) return &__emu_kernels[i];
    return nullptr;
}

static size_t shared_offset(const Kernel& kernel, int variable, int guard) {
    int offset = 0;
    for (const int* number = kernel.shared; *number >= 0; ++number) {
        const SharedVariable& found = __emu_shared_variables[*number];
        offset = (offset + found.alignment - 1) / found.alignment * found.alignment;
        if (*number == variable) return size_t(offset);
        offset += found.bytes + guard;
    }
    return size_t((offset + 15) / 16 * 16);
}

size_t shared_offset(const Kernel& kernel, int variable) { return shared_offset(kernel, variable, shared_guard); }
size_t static_shared_bytes(const Kernel& kernel) { return shared_offset(kernel, -1, 0); }

}  // namespace emulator

using namespace emulator;

// A handle that is none is an error of the call.
template <class F>
static cudaError_t with_stream(cudaStream_t handle, F&& body) {
    return enter([&] {
        Stream* stream = stream_of(handle);
        return stream ? body(*stream) : cudaErrorInvalidResourceHandle;
    });
}

// The same, for functions that put work into the stream or wait for it.
template <class F>
static cudaError_t in_stream(cudaStream_t handle, F&& body) {
    return with_stream(handle, [&](Stream& stream) {
        if (stream.capture && stream.capture->lost) return cudaErrorStreamCaptureInvalidated;
        return spoils_implicitly(stream) ? cudaErrorStreamCaptureImplicit : body(stream);
    });
}

// For functions that may make the device wait.
template <class F>
static cudaError_t between_captures(F&& body) {
    return enter([&] { return spoils_by_waiting() ? cudaErrorStreamCaptureUnsupported : body(); });
}

static std::vector<std::shared_ptr<Event>> events;
template <class F>
static cudaError_t with_event(cudaEvent_t handle, F&& body) {
    return enter([&] {
        for (auto& event : events)
            if (event.get() == reinterpret_cast<Event*>(handle)) return body(*event);
        return cudaErrorInvalidResourceHandle;
    });
}

template <class F>
static cudaError_t with_kernel(const void* stub, F&& body) {
    return enter([&] {
        Kernel* kernel = find_kernel(stub);
        return kernel ? body(*kernel) : cudaErrorInvalidResourceHandle;
    });
}

extern "C" {

// -- what clang's code for the host calls
// ------------------------------------------------------------------------------------

void** __cudaRegisterFatBinary(void*) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

int __cudaRegisterFunction(void**, const char* stub, char* symbol, const char*, int, void*, void*, void*, void*, int*) {
    for (int i = 0; i < __emu_kernel_count; ++i)
        if (strcmp(__emu_kernels[i].symbol, symbol) == 0) __emu_kernels[i].stub = stub;
    return 0;
}

void __cudaRegisterVar(void**, char* shadow, char* symbol, const char*, int, size_t, int, int) {
    for (int i = 0; i < __emu_variable_count; ++i)
        if (strcmp(__emu_variables[i].symbol, symbol) == 0) __emu_variables[i].shadow = shadow;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    const Configuration c = configurations.back();
    configurations.pop_back();
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *static_cast<cudaStream_t*>(stream) = c.stream;
    return cudaSuccess;
}

// -- errors
// ------------------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError() {
    Lock lock;
    (void)lock;
    return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    Lock lock;
    (void)lock;
    return last_error;
}
const char* cudaGetErrorName(cudaError_t error) {
    for (const ErrorName* entry = __emu_error_names; entry->name; ++entry)
        if (entry->number == int(error)) return entry->name;
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) { return description(error); }

// -- device
// --------------------------------------------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) return refuse(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return device == 0 ? enter([] { return cudaSuccess; }) : refuse(cudaErrorInvalidDevice);
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaGetDevice(int* device) {
    if (!device) return refuse(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    return look([=] {
        if (!p) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *p = properties();
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    return look([=] {
        if (device != 0) return cudaErrorInvalidDevice;
        return value && attribute(value, which) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaDeviceSynchronize() {
    return enter([] {
        return lose_captures([](const Stream&) { return true; }) ? cudaErrorStreamCaptureUnsupported
                                                                 : finished(nullptr);
    });
}
cudaError_t cudaDeviceReset() {
    Lock lock;
    (void)lock;
    if (sticky == cudaSuccess) finish(nullptr);
    lost_device |= sticky != cudaSuccess;
    forget_work();
    release_all();
    settings.clear();
    context = false;
    heap_limit = default_heap_limit;
    last_error = cudaSuccess;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    return enter([=] {
        if (which == cudaLimitMallocHeapSize) heap_limit = value;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
    return enter([=] {
        if (!value) return cudaErrorInvalidValue;
        if (which != cudaLimitMallocHeapSize) return cudaErrorUnsupportedLimit;
        *value = heap_limit;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) return refuse(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return enter([=] {
        if (free) *free = free_bytes();
        if (total) *total = total_bytes();
        return cudaSuccess;
    });
}

// -- memory
// --------------------------------------------------------------------------------------------------------------------

static cudaError_t hand_out(void** pointer, size_t bytes, Kind kind) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = allocate(bytes, kind);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
static cudaError_t give(void** pointer, size_t bytes, Kind kind) {
    return between_captures([=] { return hand_out(pointer, bytes, kind); });
}
static cudaError_t give_in_stream(void** pointer, size_t bytes, Kind kind, cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) {
        const cudaError_t error = hand_out(pointer, bytes, kind);
        if (error == cudaSuccess && *pointer && stream.capture) {  // it is there whenever the graph has come so far
            find_allocation(*pointer)->of_graph = true;
            enqueue(stream, [allocated = *pointer] {
                set_present(allocated, true);
                return cudaSuccess;
            });
        }
        return error;
    });
}
static cudaError_t take_back(void* pointer, bool host) {
    return between_captures([=] {
        if (!pointer) return cudaSuccess;
        const cudaError_t before = finished(nullptr);
        if (before != cudaSuccess) return before;
        const Allocation* allocation = host_allocation(pointer);
        if (!allocation || (allocation->kind == pinned_memory) != host) return cudaErrorInvalidValue;
        return release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaMalloc(void** pointer, size_t bytes) { return give(pointer, bytes, device_memory); }
cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return give(pointer, bytes, pinned_memory); }
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) { return give(pointer, bytes, pinned_memory); }
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return refuse(cudaErrorInvalidValue);
    return give(pointer, bytes, managed_memory);
}
cudaError_t cudaFree(void* pointer) { return take_back(pointer, false); }
cudaError_t cudaFreeHost(void* pointer) { return take_back(pointer, true); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return give_in_stream(pointer, bytes, device_memory, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) {
        if (!pointer) return cudaSuccess;
        Allocation* allocation = host_allocation(pointer);
        if (!allocation || allocation->begin != uintptr_t(pointer) || allocation->leaving) return cudaErrorInvalidValue;
        const bool in_graph = bool(stream.capture);
        if (in_graph && !allocation->of_graph) return cudaErrorInvalidValue;
        allocation->leaving = true;
        enqueue(stream, [=] {
            in_graph ? set_present(pointer, false) : void(release(pointer));
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return refuse(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    if (width > SIZE_MAX - 511 || (height && *pitch > SIZE_MAX / height)) return refuse(cudaErrorMemoryAllocation);
    return give(pointer, *pitch * height, device_memory);
}
cudaError_t cudaHostRegister(void* begin, size_t bytes, unsigned) {
    return between_captures([=] {
        if (!begin || bytes == 0) return cudaErrorInvalidValue;
        return register_host(begin, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
    });
}
cudaError_t cudaHostUnregister(void* begin) {
    return between_captures([=] { return unregister_host(begin) ? cudaSuccess : cudaErrorHostMemoryNotRegistered; });
}
cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned) {
    return enter([=] {
        if (!pointer) return cudaErrorInvalidValue;
        const Side side = side_of(host);
        if (side != Side::pinned && side != Side::managed) return cudaErrorInvalidValue;
        *pointer = host;
        return cudaSuccess;
    });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* found, const void* p) {
    return enter([=] {
        if (!found) return cudaErrorInvalidValue;
        *found = {};
        void* pointer = const_cast<void*>(p);
        switch (side_of(p)) {
            case Side::device:
                found->type = cudaMemoryTypeDevice;
                found->devicePointer = pointer;
                break;
            case Side::managed:
                found->type = cudaMemoryTypeManaged;
                found->devicePointer = found->hostPointer = pointer;
                break;
            case Side::pinned:
                found->type = cudaMemoryTypeHost;
                found->devicePointer = found->hostPointer = pointer;
                break;
            default:
                found->type = cudaMemoryTypeUnregistered;
                found->hostPointer = pointer;
                found->device = cudaInvalidDeviceId;
                break;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](Stream& stream) {
        return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, true);
    });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) {
        return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
    });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, handle);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return in_stream(nullptr, [=](Stream& stream) { return fill(to, pitch, value, width, height, stream, true); });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) { return fill(to, pitch, value, width, height, stream, false); });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) { return cudaMemset2D(to, bytes, value, bytes, 1); }
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t handle) {
    return cudaMemset2DAsync(to, bytes, value, bytes, 1, handle);
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](Stream& stream) {
        if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
        unsigned char* place = nullptr;
        const cudaError_t error = symbol_range(symbol, offset, bytes, &place);
        if (error != cudaSuccess) return error;
        return copy(place, bytes, from, bytes, bytes, 1, kind, stream, true);
    });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](Stream& stream) {
        if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
        unsigned char* place = nullptr;
        const cudaError_t error = symbol_range(symbol, offset, bytes, &place);
        if (error != cudaSuccess) return error;
        return copy(to, bytes, place, bytes, bytes, 1, kind, stream, true);
    });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return enter([=] {
        if (!pointer) return cudaErrorInvalidValue;
        const ManagedVariable variable = variable_of(symbol);
        if (!variable.place) return cudaErrorInvalidSymbol;
        *pointer = variable.place;
        return cudaSuccess;
    });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return enter([=] {
        if (!bytes) return cudaErrorInvalidValue;
        const ManagedVariable variable = variable_of(symbol);
        if (!variable.place) return cudaErrorInvalidSymbol;
        *bytes = *variable.size;
        return cudaSuccess;
    });
}

static cudaError_t managed_range(const void* p, size_t bytes, Allocation** found) {
    *found = host_allocation(p);
    return bytes > 0 && *found && (*found)->kind == managed_memory && fits(p, bytes) ? cudaSuccess
                                                                                     : cudaErrorInvalidValue;
}
static bool no_such_device(cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice && location.id != 0;
}
static int number_of(cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}
cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
    return enter([=] {
        Allocation* found = nullptr;
        const cudaError_t error = managed_range(p, bytes, &found);
        if (error != cudaSuccess) return error;
        if (no_such_device(location)) return cudaErrorInvalidDevice;
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
        if (advice == cudaMemAdviseSetReadMostly) found->read_mostly = true;
        if (advice == cudaMemAdviseUnsetReadMostly) found->read_mostly = false;
        if (advice == cudaMemAdviseSetPreferredLocation) found->preferred = number_of(location);
        if (advice == cudaMemAdviseUnsetPreferredLocation) found->preferred = cudaInvalidDeviceId;
        return cudaSuccess;
    });
}
cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) {
        if (flags != 0) return cudaErrorInvalidValue;
        if (no_such_device(location)) return cudaErrorInvalidDevice;
        Allocation* found = nullptr;
        const cudaError_t error = managed_range(p, bytes, &found);
        if (error != cudaSuccess) return error;
        found->prefetched = number_of(location);
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, cudaMemRangeAttribute which, const void* p,
                                     size_t length) {
    return enter([=] {
        Allocation* found = nullptr;
        const cudaError_t error = managed_range(p, length, &found);
        if (error != cudaSuccess) return error;
        if (!data) return cudaErrorInvalidValue;
        if (bytes != sizeof(int)) return cudaErrorNotSupported;
        int& value = *static_cast<int*>(data);
        switch (which) {
            case cudaMemRangeAttributeReadMostly: value = found->read_mostly; return cudaSuccess;
            case cudaMemRangeAttributePreferredLocation: value = found->preferred; return cudaSuccess;
            case cudaMemRangeAttributeLastPrefetchLocation: value = found->prefetched; return cudaSuccess;
            default: return cudaErrorNotSupported;
        }
    });
}

// -- streams and events
// ----------------------------------------------------------------------------------------------------------

static cudaError_t make_stream(cudaStream_t* handle, unsigned flags, int priority) {
    return enter([=] {
        if (!handle || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        *handle =
            reinterpret_cast<cudaStream_t>(new_stream(flags != cudaStreamNonBlocking, std::clamp(priority, -5, 0)));
        return cudaSuccess;
    });
}
cudaError_t cudaStreamCreate(cudaStream_t* handle) { return make_stream(handle, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned flags) { return make_stream(handle, flags, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned flags, int priority) {
    return make_stream(handle, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return with_stream(handle, [](Stream& stream) {
        if (stream.capture) end_capture(*std::shared_ptr<Capture>(stream.capture));
        for (auto& event : events)
            if (event->captured_in == &stream) event->captured_in = nullptr;
        return forget_stream(&stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream(handle, [=](Stream& stream) {
        if (!priority) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream(handle, [=](Stream& stream) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = stream.flags;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return in_stream(handle, [](Stream& stream) {
        if (spoils(stream) || spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        return finished(stream.busy() ? stream.last : std::make_shared<Operation>(Operation{.done = true}));
    });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return in_stream(handle, [](Stream& stream) {
        if (spoils(stream) || spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        work_for_a_while();
        return sticky != cudaSuccess ? sticky : stream.busy() ? cudaErrorNotReady : cudaSuccess;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return in_stream(handle, [=](Stream& stream) {
        if (!function) return cudaErrorInvalidValue;
        enqueue(stream, [=] {
            in_host_function = true;
            function(data);
            in_host_function = false;
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data, unsigned flags) {
    return in_stream(handle, [=](Stream& stream) {
        if (!function || flags != 0) return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        enqueue(stream, [=] {
            in_host_function = true;
            function(handle, cudaSuccess, data);
            in_host_function = false;
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return enter([=] {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!handle || flags & ~known || (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
            return cudaErrorInvalidValue;
        events.push_back(std::make_shared<Event>());
        events.back()->timed = !(flags & cudaEventDisableTiming);
        *handle = reinterpret_cast<cudaEvent_t>(events.back().get());
        return cudaSuccess;
    });
}
cudaError_t cudaEventCreate(cudaEvent_t* handle) { return cudaEventCreateWithFlags(handle, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return with_event(handle, [=](Event& event) {  // work that is to note its time keeps it
        events.erase(std::find(events.begin(), events.end(), event.shared_from_this()));
        return cudaSuccess;
    });
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    return with_event(handle, [=](Event& event) {
        Stream* stream = stream_of(stream_handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        event.captured_in = stream->capture ? stream : nullptr;
        if (stream->capture) {
            event.asked = stream->asked;
            return cudaSuccess;
        }
        const unsigned number = ++event.records;
        event.recorded = enqueue(*stream, [number, noted = event.shared_from_this()] {
            if (noted->records == number) noted->time = now() + device_ticks() / 2;
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event(handle, [](Event& event) {
        if (event.captured_in && spoils(*event.captured_in)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        return event.recorded && !event.recorded->done ? finished(event.recorded) : cudaSuccess;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event(handle, [](Event& event) {
        if (event.captured_in && spoils(*event.captured_in)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        work_for_a_while();
        return sticky != cudaSuccess                     ? sticky
               : event.recorded && !event.recorded->done ? cudaErrorNotReady
                                                         : cudaSuccess;
    });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
    return with_event(event_handle, [=](Event& event) {
        Stream* stream = stream_of(handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        if (Stream* other = event.captured_in; other && other->capture) {
            if (stream->capture && stream->capture != other->capture) {
                stream->capture->lost = other->capture->lost = true;
                return cudaErrorStreamCaptureMerge;
            }
            if (!stream->capture) {  // it joins
                stream->capture = other->capture;
                stream->capture->joined.push_back(stream);
                stream->asked = stream->waited = 0;
            }
            ++stream->asked;
            other->waited = std::max(other->waited, event.asked);
            return cudaSuccess;
        }
        if (stream->capture) {  // of work that is not in the graph
            stream->capture->lost = true;
            return cudaErrorStreamCaptureIsolation;
        }
        wait_in_stream(*stream, event.recorded);
        return cudaSuccess;
    });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second) {
    if (!milliseconds) return refuse(cudaErrorInvalidValue);
    return with_event(first, [=](Event& from) {
        return with_event(second, [&](Event& to) {
            for (const Event* event : {&from, &to})
                if (event->captured_in && event->captured_in->capture) return cudaErrorCapturedEvent;
            if (!from.recorded || !to.recorded || !from.timed || !to.timed) return cudaErrorInvalidResourceHandle;
            if (!from.recorded->done || !to.recorded->done) return cudaErrorNotReady;
            *milliseconds = float(double(int64_t(to.time - from.time)) * 1e-6);
            return cudaSuccess;
        });
    });
}

// -- kernels
// -----------------------------------------------------------------------------------------------------------------------

// A launch that is refused spoils the capture that it was meant for.
static cudaError_t launch_in_stream(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared,
                                    cudaStream_t handle, dim3 cluster, bool cooperative) {
    return in_stream(handle, [=](Stream& stream) {
        const cudaError_t error = launch(stub, grid, block, arguments, shared, stream, cluster, cooperative);
        if (error != cudaSuccess) spoils(stream);
        return error;
    });
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
    return launch_in_stream(stub, grid, block, arguments, shared, stream, dim3(0, 0, 0), false);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    return with_stream(handle, [=](Stream& stream) {
        if (stream.capture) return cudaErrorIllegalState;
        if (stream_of(nullptr) == &stream) return cudaErrorStreamCaptureUnsupported;
        stream.capture = std::make_shared<Capture>(Capture{&stream, mode, this_thread(), {}, {}});
        return cudaSuccess;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return with_stream(handle, [=](Stream& stream) {
        if (!graph) return cudaErrorInvalidValue;
        if (!stream.capture) return cudaErrorIllegalState;
        if (stream.capture->origin != &stream) {
            spoils(stream);
            return cudaErrorStreamCaptureUnmatched;
        }
        if (stream.capture->mode != cudaStreamCaptureModeRelaxed && stream.capture->thread != this_thread())
            return cudaErrorStreamCaptureWrongThread;
        const std::shared_ptr<Capture> capture = stream.capture;
        *graph = nullptr;
        const bool unjoined = std::any_of(capture->joined.begin(), capture->joined.end(),
                                          [](const Stream* other) { return other->waited < other->asked; });
        end_capture(*capture);
        if (capture->lost) return cudaErrorStreamCaptureInvalidated;
        if (unjoined) return cudaErrorStreamCaptureUnjoined;
        *graph = reinterpret_cast<cudaGraph_t>(new Graph{std::move(capture->operations)});
        return cudaSuccess;
    });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long) {
    return enter([=] {
        if (!instance || !graph) return cudaErrorInvalidValue;
        *instance = reinterpret_cast<cudaGraphExec_t>(new Graph(*reinterpret_cast<Graph*>(graph)));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t handle) {
    return in_stream(handle, [=](Stream& stream) {
        if (!instance) return cudaErrorInvalidValue;
        for (const Captured& captured : reinterpret_cast<Graph*>(instance)->operations) {
            if (captured.launch)
                enqueue(stream, Launch(*captured.launch));
            else
                enqueue(stream, captured.act);
        }
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete reinterpret_cast<Graph*>(graph);
    return graph ? cudaSuccess : refuse(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    delete reinterpret_cast<Graph*>(instance);
    return instance ? cudaSuccess : refuse(cudaErrorInvalidValue);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
    return look([=] {
        if (!name || !function) return cudaErrorInvalidValue;
        *function = nullptr;
        for (const auto& known : driver_functions)
            if (strcmp(known.name, name) == 0) *function = known.function;
        if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
        return *function ? cudaSuccess : cudaErrorSymbolNotFound;
    });
}
// A pool only says of which kind its memory is.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* wanted) {
    return enter([=] {
        if (!pool || !wanted) return cudaErrorInvalidValue;
        *pool = reinterpret_cast<cudaMemPool_t>(
            new Kind(wanted->allocType == cudaMemAllocationTypeManaged ? managed_memory : device_memory));
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    delete reinterpret_cast<Kind*>(pool);
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    if (!pool) return refuse(cudaErrorInvalidValue);
    return give_in_stream(pointer, bytes, *reinterpret_cast<Kind*>(pool), stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
    return launch_in_stream(stub, grid, block, arguments, shared, stream, dim3(0, 0, 0), true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
    if (!config) return refuse(cudaErrorInvalidValue);
    dim3 cluster(0, 0, 0);
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        switch (attribute.id) {
            case cudaLaunchAttributeIgnore: break;
            case cudaLaunchAttributeClusterDimension:
                cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
                break;
            case cudaLaunchAttributeCooperative: cooperative = attribute.val.cooperative != 0; break;
            case cudaLaunchAttributePriority:  // these say how fast, not what
            case cudaLaunchAttributePreferredSharedMemoryCarveout:
            case cudaLaunchAttributePreferredClusterDimension:
            case cudaLaunchAttributeClusterSchedulingPolicyPreference:
            case cudaLaunchAttributeSynchronizationPolicy:
            case cudaLaunchAttributeAccessPolicyWindow:
            case cudaLaunchAttributeMemSyncDomain: break;
            default: return enter([] { return cudaErrorNotSupported; });
        }
    }
    return launch_in_stream(stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                            config->stream, cluster, cooperative);
}
cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute which, int value) {
    return with_kernel(stub, [=](Kernel& kernel) {
        KernelSettings& setting = settings[&kernel];
        switch (which) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                if (value < 0 || size_t(value) + static_shared_bytes(kernel) > limits.shared_bytes_opt_in)
                    return cudaErrorInvalidValue;
                setting.most_dynamic_shared = value;
                setting.opted_in = true;
                return cudaSuccess;
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < -1 || value > 100) return cudaErrorInvalidValue;
                setting.carveout = value;
                return cudaSuccess;
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
                setting.non_portable_cluster = value != 0;
                return cudaSuccess;
            default: return cudaErrorInvalidValue;
        }
    });
}
cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
    return with_kernel(stub, [](Kernel&) { return cudaSuccess; });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* found, const void* stub) {
    return with_kernel(stub, [=](Kernel& kernel) {
        if (!found) return cudaErrorInvalidValue;
        *found = {};
        found->sharedSizeBytes = static_shared_bytes(kernel);
        found->localSizeBytes = size_t(kernel.local_bytes);
        found->maxThreadsPerBlock = most_threads(kernel);
        found->numRegs = kernel.registers;
        found->ptxVersion = found->binaryVersion = 90;
        found->maxDynamicSharedSizeBytes = settings[&kernel].most_dynamic_shared;
        found->preferredShmemCarveout = settings[&kernel].carveout;
        found->requiredClusterWidth = int(kernel.cluster[0]);
        found->requiredClusterHeight = int(kernel.cluster[1]);
        found->requiredClusterDepth = int(kernel.cluster[2]);
        found->nonPortableClusterSizeAllowed = settings[&kernel].non_portable_cluster;
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* stub, const cudaLaunchConfig_t* config) {
    return with_kernel(stub, [=](Kernel& kernel) {
        if (!clusters || !config) return cudaErrorInvalidValue;
        const int blocks = resident_blocks(kernel, int(volume(config->blockDim)), config->dynamicSmemBytes);
        uint64_t size = 1;
        for (unsigned i = 0; i < config->numAttrs; ++i)
            if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
                size = uint64_t(config->attrs[i].val.clusterDim.x) * config->attrs[i].val.clusterDim.y *
                       config->attrs[i].val.clusterDim.z;
        if (size >
            (settings[&kernel].non_portable_cluster ? limits.cluster_blocks_non_portable : limits.cluster_blocks))
            return cudaErrorInvalidClusterSize;
        *clusters = int(uint64_t(blocks) * limits.multiprocessors / size);
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                   size_t shared, unsigned) {
    return with_kernel(stub, [=](Kernel& kernel) {
        if (!blocks || threads <= 0) return cudaErrorInvalidValue;
        *blocks = threads > int(limits.threads) ? 0 : resident_blocks(kernel, threads, shared);
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, shared, 0);
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* stub, const cudaLaunchConfig_t*) {
    return with_kernel(stub, [=](Kernel& kernel) {
        if (!size) return cudaErrorInvalidValue;
        *size =
            int(settings[&kernel].non_portable_cluster ? limits.cluster_blocks_non_portable : limits.cluster_blocks);
        return cudaSuccess;
    });
}

}  // extern "C"
