// Where does the machine code of a kernel come from? This program holds machine code
// for 9.0 and PTX for 8.0. A new process for each setting loads the kernel, with a
// folder of its own for the compute cache, and says which of the two the driver took.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void kernel() {}

/// A variable and its value.
struct setting {
    const char* name;   ///< as the driver reads it
    const char* value;  ///< null leaves the variable as it is
};

/// What a new process took, and what it left in the cache.
struct outcome {
    std::string code;      ///< "machine code", "PTX", or the name of an error
    int code_files;        ///< files in the cache except its index
    std::uintmax_t bytes;  ///< size of these files
};

// [run]
/// Loads the kernel in a new process.
/// @param program        path of this program
/// @param first, second  variables of its environment
outcome run(const char* program, setting first, setting second) {
    char folder[] = "/tmp/lockstep-jit-XXXXXX";
    if (!mkdtemp(folder)) std::exit(EXIT_FAILURE);
    const lockstep::inherited cache("CUDA_CACHE_PATH", folder);
    const lockstep::inherited one(first.name, first.value);
    const lockstep::inherited other(second.name, second.value);
    outcome found{lockstep::output_of(program, "--child"), 0, 0};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().filename() != "index") {
            ++found.code_files;
            found.bytes += entry.file_size();
        }
    std::filesystem::remove_all(folder);
    return found;
}
// [/run]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (child) {
        // [child]
        cudaFuncAttributes attributes{};
        const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel);
        std::printf("%s", status != cudaSuccess         ? cudaGetErrorName(status)
                          : attributes.ptxVersion == 80 ? "PTX"
                                                        : "machine code");
        // [/child]
        return EXIT_SUCCESS;
    }

    std::printf("%-36s%-33s%s\n", "setting", "loaded from", "cached, bytes");
    const auto show = [&](setting first, setting second = {}) {
        std::string label;
        for (const setting& one : {first, second})
            if (one.value)
                label += (label.empty() ? "" : " ") + std::string(one.name + 5) + '=' +
                         one.value;
        const outcome found = run(argv[0], first, second);
        std::printf("%-36s%-33s", label.empty() ? "none" : label.c_str(),
                    found.code.c_str());
        if (found.code_files > 0)
            std::printf("~%ju\n", found.bytes);
        else
            std::printf("nothing\n");
        return found;
    };
    const char* disable_cache = "CUDA_CACHE_DISABLE";
    const char* force_ptx = "CUDA_FORCE_PTX_JIT";
    const char* disable_ptx = "CUDA_DISABLE_PTX_JIT";
    bool right = true;
    // [settings]
    right &= show({}).code == "machine code";
    right &= show({force_ptx, "1"}).code == "PTX";
    right &= show({"CUDA_FORCE_JIT", "1"}).code == "PTX";
    show({force_ptx, "0"}, {"CUDA_FORCE_JIT", "1"});
    right &= show({disable_ptx, "1"}).code == "machine code";
    right &= show({"CUDA_DISABLE_JIT", "1"}).code == "machine code";
    show({force_ptx, "1"}, {disable_ptx, "1"});
    show({force_ptx, "1"}, {"CUDA_DISABLE_JIT", "1"});
    right &= show({force_ptx, "1"}, {disable_cache, "1"}).code_files == 0;
    show({force_ptx, "1"}, {"CUDA_CACHE_MAXSIZE", "1"});
    show({force_ptx, "1"}, {"CUDA_CACHE_MAXSIZE", "1024"});
    // [/settings]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
