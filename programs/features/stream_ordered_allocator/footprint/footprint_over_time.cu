// How much memory does a pool hold while a program allocates and frees in phases? With
// the default release threshold it gives all of it back at each synchronization; with a
// threshold it keeps as much as that; with UINT64_MAX everything, until it is trimmed.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

/// What a pool holds at a moment, in MiB.
struct footprint {
    std::string moment;
    double reserved;  ///< physical memory of the pool
    double used;  ///< of that, allocated and not free yet
};

/// Runs all phases with a pool of its own.
/// @param threshold  release threshold of the pool in bytes
/// @param block      size of one allocation in bytes
std::vector<footprint> run(std::uint64_t threshold, std::size_t block) {
    const lockstep::owned_stream stream;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    // [threshold]
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    // [/threshold]
    std::vector<footprint> seen;
    const auto look = [&](std::string moment) {
        // [look]
        std::uint64_t reserved = 0;
        std::uint64_t used = 0;
        lockstep::check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent,
                                                &reserved));
        lockstep::check(
            cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
        // [/look]
        seen.push_back({moment, double(reserved) / mib, double(used) / mib});
    };
    look("created");
    // [phases]
    int phase = 0;
    for (const int count : {4, 8, 8, 2, 2}) {
        const std::string name = "phase " + std::to_string(++phase);
        std::vector<void*> blocks(count);
        for (void*& x : blocks)
            lockstep::check(cudaMallocFromPoolAsync(&x, block, pool, stream));
        for (void* x : blocks) lockstep::check(cudaMemsetAsync(x, 1, block, stream));
        look(name + ", allocated");
        for (void* x : blocks) lockstep::check(cudaFreeAsync(x, stream));
        look(name + ", freed");
        lockstep::check(cudaStreamSynchronize(stream));
        look(name + ", synchronized");
    }
    lockstep::check(cudaMemPoolTrimTo(pool, 2 * block));
    look("trimmed to 2 blocks");
    lockstep::check(cudaMemPoolTrimTo(pool, 0));
    look("trimmed to 0");
    // [/phases]
    lockstep::check(cudaMemPoolDestroy(pool));
    return seen;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t block = mib * options.integer("mib", 32, 1, 256);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::csv_file series(csv, "event,moment,what,~mib");
    const auto none = run(0, block);
    const auto some = run(4 * block, block);
    const auto all = run(UINT64_MAX, block);
    std::printf("%-25s%12s%42s\n", "MiB in the pool", "used",
                "reserved, by release threshold");
    std::printf("%-25s%12s%14s%14s%14s\n", "", "", "0", "4 blocks", "UINT64_MAX");
    bool as_expected = true;
    for (std::size_t i = 0; i < none.size(); ++i) {
        const auto cell = [](double value) { return "~" + std::to_string(int(value)); };
        const char* moment = none[i].moment.c_str();
        std::printf("%-25s%12.0f%14s%14s%14s\n", moment, none[i].used,
                    cell(none[i].reserved).c_str(), cell(some[i].reserved).c_str(),
                    cell(all[i].reserved).c_str());
        const auto row = [&](const char* what, double value) {
            series.row("%d,\"%s\",\"%s\",%.4g", int(i), moment, what, value);
        };
        row("used", none[i].used);
        row("reserved, threshold 0", none[i].reserved);
        row("reserved, threshold 4 blocks", some[i].reserved);
        row("reserved, threshold UINT64_MAX", all[i].reserved);
        as_expected = as_expected && none[i].reserved <= some[i].reserved &&
                      some[i].reserved <= all[i].reserved &&
                      none[i].used <= none[i].reserved;
    }
    series.finish();
    return as_expected && all.back().reserved == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
