// Can the kernel itself say which of its accesses are streaming or persisting? Yes:
// __ldcs is a load with a streaming hint, and cuda::annotated_ptr a pointer whose loads
// carry an access property. One kernel with plain and annotated pointers, and against
// it windows on the stream. A share of one half needs a policy made by PTX: libcu++ of
// CUDA 13.0 encodes the property with 0.5 as a sixteenth.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_profiler_api.h>
#include <cuda/annotated_ptr>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

using property = cuda::access_property;
template <class Property>
using annotated = cuda::annotated_ptr<const uint4, Property>;

// [ldcs]
/// A pointer whose loads are streaming.
struct loaded_once {
    const uint4* words;  ///< in device memory
    __device__ uint4 operator[](std::size_t i) const { return __ldcs(words + i); }
};
// [/ldcs]

// [policy]
/// A pointer whose loads carry a cache policy of PTX.
struct hinted {
    const uint4* words;  ///< in device memory
    std::uint64_t policy;  ///< as createpolicy makes it
    __device__ uint4 operator[](std::size_t i) const {
        uint4 word;
        asm("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
            : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
            : "l"(words + i), "l"(policy));
        return word;
    }
};

/// Makes the policy of which half is evict_last, persisting, and half evict_first.
/// @param policy  one word in device memory, written
__global__ void make_half(std::uint64_t* policy) {
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;"
        : "=l"(*policy));
}
// [/policy]

constexpr int block_size = 512;
constexpr int loads = 2;  // words of the array for each thread in a tile
constexpr int tile_words = loads * block_size;  // of the array, and of the table

// [kernel]
/// Adds up an array that it reads once, and with it a table that it reads in turns.
/// @tparam Data, Table  what acts as a pointer to constant words
/// @param tiles         tiles of the array, of tile_words words each
/// @param data          the array in device memory
/// @param table_tiles   tiles of the table, of the same size
/// @param table         the table in device memory
/// @param result        one unsigned in device memory, increased by the sum
template <class Data, class Table>
__global__ void mix_through(int tiles, Data data, int table_tiles, Table table,
                            unsigned* result) {
    unsigned sum = 0;
    const auto add = [&](uint4 word) { sum += word.x + word.y + word.z + word.w; };
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const std::size_t first = std::size_t(tile) * tile_words + threadIdx.x;
        const std::size_t again =
            std::size_t(tile % table_tiles) * tile_words + threadIdx.x;
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            add(data[first + i * block_size]);
            add(table[again + i * block_size]);
        }
    }
    atomicAdd(result, sum);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 512, 1, 4096);
    const long long table_mib = options.integer<long long>("table-mib", 32, 1, 128);
    enum { all, hints, windows, share };
    const int cases = options.choice("cases", {"all", "hints", "windows", "share"});
    const auto chosen = [cases](int some) { return cases == all || cases == some; };
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));

    lockstep::device_buffer<uint4> d_data((data_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<uint4> d_table((table_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_result(1);
    d_data.fill_bytes(1);
    d_table.fill_bytes(1);
    d_result.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const auto set_aside = [&](std::size_t bytes) {
        if (device.persistingL2CacheMaxSize == 0) return;  // as under MIG
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes));
    };
    const int tiles = static_cast<int>(d_data.size() / tile_words);
    const int table_tiles = static_cast<int>(d_table.size() / tile_words);
    const lockstep::owned_stream stream;
    unsigned passes = 0;  // over the whole array
    const auto set_window = [&](const uint4* base, std::size_t bytes,
                                cudaAccessProperty kept) {
        cudaStreamAttrValue attribute{};
        attribute.accessPolicyWindow.base_ptr = const_cast<uint4*>(base);
        attribute.accessPolicyWindow.num_bytes =
            std::min(bytes, std::size_t(device.accessPolicyMaxWindowSize));
        attribute.accessPolicyWindow.hitRatio = 1;
        attribute.accessPolicyWindow.hitProp = kept;
        attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
        lockstep::check(cudaStreamSetAttribute(
            stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
    };
    const auto launch = [&](auto data, int data_tiles, auto table) {
        mix_through<<<device.multiProcessorCount * 4, block_size, 0, stream>>>(
            data_tiles, data, table_tiles, table, d_result.data());
        lockstep::check(cudaGetLastError());
    };
    const auto time = [&](const char* label, auto pass) {
        lockstep::check(cudaCtxResetPersistingL2Cache());
        const auto counted = [&] {
            pass();
            ++passes;
        };
        const double us = 1e3 * lockstep::time_on_device(counted, 20, stream).median_ms;
        lockstep::report(label, lockstep::measured{us}, "us");
    };
    const auto run = [&](const char* label, auto data, auto table) {
        const auto pass = [&] { launch(data, tiles, table); };
        if (!once) return time(label, pass);
        lockstep::check(cudaCtxResetPersistingL2Cache());
        pass();  // the second launch is profiled
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::check(cudaProfilerStart());
        pass();
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::check(cudaProfilerStop());
        passes += 2;
        std::printf("case %s\n", label);
    };

    const uint4* data = d_data.data();
    const uint4* table = d_table.data();
    if (chosen(hints)) {
        // [cases]
        run("plain, default set-aside", data, table);
        set_aside(0);
        run("plain, none set aside", data, table);
        run("streaming, none set aside", annotated<property::streaming>(data), table);
        run("__ldcs, none set aside", loaded_once{data}, table);
        set_aside(device.persistingL2CacheMaxSize);
        run("plain", data, table);
        run("data streaming", annotated<property::streaming>(data), table);
        run("table persisting", data, annotated<property::persisting>(table));
        run("both", annotated<property::streaming>(data),
            annotated<property::persisting>(table));
        set_window(table, d_table.bytes(), cudaAccessPropertyPersisting);
        run("plain in a window", data, table);
        // [/cases]
        set_window(nullptr, 0, cudaAccessPropertyNormal);
    }
    if (chosen(windows)) {
        // [streaming-window]
        set_aside(0);
        set_window(data, d_data.bytes(), cudaAccessPropertyStreaming);
        run("data in streaming window", data, table);
        set_aside(device.persistingL2CacheMaxSize);
        run("streaming window, set-aside", data, table);
        set_aside(0);
        const auto in_parts = [&](bool with_window) {
            const int parts = 4;
            for (int part = 0; part < parts; ++part) {
                const int first = tiles / parts * part;
                const int end = part + 1 < parts ? tiles / parts * (part + 1) : tiles;
                const uint4* begin = data + std::size_t(first) * tile_words;
                const std::size_t bytes =
                    std::size_t(end - first) * tile_words * sizeof(uint4);
                set_window(begin, with_window ? bytes : 0, cudaAccessPropertyStreaming);
                launch(begin, end - first, table);
            }
        };
        // [/streaming-window]
        if (!once) {
            time("4 parts, plain", [&] { in_parts(false); });
            time("4 parts, streaming windows", [&] { in_parts(true); });
        }
        set_window(nullptr, 0, cudaAccessPropertyNormal);
    }
    if (chosen(share)) {
        set_aside(device.persistingL2CacheMaxSize);
        // [share]
        // meant: half persisting, half streaming; toolkit 13.0 encodes a sixteenth
        constexpr property half(property::persisting{}, 0.5f, property::streaming{});
        run("property with 0.5", data, annotated<property>(table, half));
        lockstep::device_buffer<std::uint64_t> d_policy(1);
        make_half<<<1, 1>>>(d_policy.data());
        lockstep::check(cudaGetLastError());
        const std::uint64_t policy = d_policy.to_host()[0];
        run("half of it persisting", data, hinted{table, policy});
        // [/share]
        // [descriptors]
        const auto show = [](const char* label, std::uint64_t descriptor) {
            char text[24];
            std::snprintf(text, sizeof text, "0x%016llx",
                          static_cast<unsigned long long>(descriptor));
            lockstep::report(label, text);
        };
        constexpr property whole(property::persisting{}, 1.0f, property::streaming{});
        show("descriptor, property 1.0", static_cast<std::uint64_t>(whole));
        show("descriptor, property 0.5", static_cast<std::uint64_t>(half));
        show("descriptor, createpolicy", policy);
        // [/descriptors]
    }
    lockstep::check(cudaCtxResetPersistingL2Cache());

    const unsigned words = 2 * tile_words * 4;  // of a tile, 32 bits each
    const unsigned expected = passes * tiles * words * 0x01010101u;
    const bool right = d_result.to_host()[0] == expected;
    lockstep::report("sums right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
