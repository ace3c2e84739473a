// Which devices does CUDA_VISIBLE_DEVICES leave to a process? A new process for each
// value counts them. The list ends at the first entry that names no GPU; an empty list,
// or one that begins with such an entry, leaves none.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

// [uuid]
/// The UUID of device 0 as nvidia-smi -L prints it.
std::string uuid_of_device_0() {
    cudaDeviceProp properties{};
    lockstep::check(cudaGetDeviceProperties(&properties, 0));
    std::string uuid = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", properties.uuid.bytes[i] & 0xFF);
        if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
        uuid += digits;
    }
    return uuid;
}
// [/uuid]

/// A value of the variable, and how many devices it leaves.
struct row {
    const char* label;  ///< how the output names the value
    const char* value;  ///< null leaves the variable as it is
    int devices;  ///< expected
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    if (child) {
        // [child]
        int count = 0;
        const cudaError_t status = cudaGetDeviceCount(&count);
        std::printf("%-9d%s", count, cudaGetErrorName(status));
        // [/child]
        return EXIT_SUCCESS;
    }
    lockstep::require_device();

    int all = 0;
    lockstep::check(cudaGetDeviceCount(&all));
    const std::string uuid = uuid_of_device_0();
    const std::string beginning = uuid.substr(0, 12);
    // [values]
    const row rows[] = {
        {"unset", nullptr, all},
        {"0", "0", 1},
        {"0,-1", "0,-1", 1},
        {"-1,0", "-1,0", 0},
        {"0,99", "0,99", 1},
        {"empty", "", 0},
        {"UUID of device 0", uuid.c_str(), 1},
        {"its first eight digits", beginning.c_str(), 1},
    };
    // [/values]
    std::printf("%-28s%-9s%s\n", "CUDA_VISIBLE_DEVICES", "devices", "error");
    bool right = true;
    for (const auto& [label, value, devices] : rows) {
        const lockstep::inherited variable("CUDA_VISIBLE_DEVICES", value);
        const std::string said = lockstep::output_of(argv[0], "--child");
        std::printf("%-28s%s\n", label, said.c_str());
        right &= std::atoi(said.c_str()) == devices && !said.empty();
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
