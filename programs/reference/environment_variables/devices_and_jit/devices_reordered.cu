// Which GPU is device 0? Two variables decide. The program numbers the GPUs by their
// addresses on the PCI bus, and prints for three settings which of them each device
// is.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

/// The PCI addresses of all devices in the order of their numbers, in a new process.
/// @param program  path of this program
std::vector<std::string> addresses(const char* program) {
    std::istringstream said(lockstep::output_of(program, "--child"));
    std::vector<std::string> all;
    for (std::string one; said >> one;) all.push_back(one);
    return all;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device(0, 2);
    int count = 0;
    lockstep::check(cudaGetDeviceCount(&count));
    if (child) {
        // [child]
        for (int device = 0; device < count; ++device) {
            char address[32] = "";
            lockstep::check(cudaDeviceGetPCIBusId(address, sizeof address, device));
            std::printf("%s ", address);
        }
        // [/child]
        return EXIT_SUCCESS;
    }

    const lockstep::inherited by_address("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    const std::vector<std::string> sorted = addresses(argv[0]);
    const auto show = [&](const char* label) {
        const std::vector<std::string> found = addresses(argv[0]);
        std::printf("%-44s", label);
        for (const std::string& one : found)
            std::printf(" %ld",
                        std::find(sorted.begin(), sorted.end(), one) - sorted.begin());
        std::printf("\n");
        return found;
    };
    bool right = std::is_sorted(sorted.begin(), sorted.end());
    // [settings]
    right &= show("CUDA_DEVICE_ORDER=PCI_BUS_ID") == sorted;
    {
        const lockstep::inherited fastest("CUDA_DEVICE_ORDER", "FASTEST_FIRST");
        right &= show("CUDA_DEVICE_ORDER=FASTEST_FIRST").size() == sorted.size();
    }
    const lockstep::inherited list("CUDA_VISIBLE_DEVICES", "1,0");
    const std::vector<std::string> reversed{sorted[1], sorted[0]};
    right &= show("PCI_BUS_ID, CUDA_VISIBLE_DEVICES=1,0") == reversed;
    // [/settings]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
