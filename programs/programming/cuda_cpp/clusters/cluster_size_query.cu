// How large may a cluster be? Eight blocks are portable: every GPU that has clusters
// supports them, unless it is small or a slice of a GPU. Some GPUs support 16 for a
// kernel that opts in. Two queries return the limits, and a third returns how many
// clusters of each size fit on the device at once.

#include <cstdio>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing; its clusters are counted.
__global__ void kernel() {}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 256, 32, 1024);
    options.finish();
    lockstep::require_device(90);

    // [largest]
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(16);
    config.blockDim = dim3(threads);
    int portable = 0;
    lockstep::check(cudaOccupancyMaxPotentialClusterSize(&portable, kernel, &config));
    lockstep::check(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    int largest = 0;
    lockstep::check(cudaOccupancyMaxPotentialClusterSize(&largest, kernel, &config));
    // [/largest]
    lockstep::report("largest portable cluster", portable);
    lockstep::report("largest after opting in", largest);

    bool falling = true;
    int before = 0;
    for (unsigned size = 1; size <= static_cast<unsigned>(largest); size *= 2) {
        // [active]
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {size, 1, 1};
        config.attrs = &attribute;
        config.numAttrs = 1;
        int clusters = 0;
        lockstep::check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
        // [/active]
        std::printf("clusters of %2u at once      %d, or %u blocks\n", size, clusters,
                    clusters * size);
        falling = falling && (before == 0 || clusters < before);
        before = clusters;
    }
    return portable >= 1 && portable <= 8 && largest >= portable && falling
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
