// A kernel's arguments can be handed over as pointers, one for each, or packed into one
// buffer in which each stands where the device expects it. Without the gaps the values
// are wrong.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Stores what it was given.
/// @param i    any number
/// @param v    any numbers; the first and the last are stored
/// @param c    any character, stored as its code
/// @param f    any number
/// @param out  eight floats in device memory, written
/// @param w    any two numbers
__global__ void keep(int i, float4 v, char c, float f, float* out, float2 w) {
    const float found[] = {
        static_cast<float>(i), v.x, v.w, static_cast<float>(c), f, w.x, w.y, 0};
    for (int k = 0; k < 8; ++k) out[k] = found[k];
}
// [/kernel]

// [pack]
/// A buffer of arguments.
class packed {
public:
    explicit packed(bool with_gaps) : gaps_(with_gaps) {}

    /// Appends an argument at the next place that its alignment allows.
    template <class T>
    void add(const T& argument) {
        if (gaps_)
            bytes_.resize((bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T));
        std::printf(" %zu", bytes_.size());
        bytes_.resize(bytes_.size() + sizeof argument);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof argument, &argument,
                    sizeof argument);
    }
    std::vector<char>& bytes() { return bytes_; }

private:
    bool gaps_;
    std::vector<char> bytes_;
};
// [/pack]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool no_gaps = options.flag("no-gaps");
    options.finish();
    lockstep::require_device();

    float* out = nullptr;
    lockstep::check(cudaMalloc(&out, 256));
    cudaFunction_t function = nullptr;
    lockstep::check(
        cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(keep)));
    int i = 1;
    float4 v{2, 3, 4, 5};
    char c = 6;
    float f = 7;
    float2 w{8, 9};
    const auto shown = [&](const char* how) {
        float host[8] = {};
        lockstep::check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
        std::printf("%-28s", how);
        for (int k = 0; k < 7; ++k) std::printf("%g ", host[k]);
        std::printf("\n");
        lockstep::check(cudaMemset(out, 0, sizeof host));
        return std::vector<float>(host, host + 7) ==
               std::vector<float>{1, 2, 5, 6, 7, 8, 9};
    };
    // [pointers]
    void* pointers[] = {&i, &v, &c, &f, &out, &w};
    lockstep::check(
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr));
    // [/pointers]
    const bool right = shown("pointers");

    // [buffer]
    std::printf("%-27s", "offsets");
    packed buffer(!no_gaps);
    buffer.add(i);
    buffer.add(v);
    buffer.add(c);
    buffer.add(f);
    if (no_gaps) buffer.bytes().resize(40);  // the pointer, at least, where it belongs
    buffer.add(out);
    buffer.add(w);
    std::printf("\n");
    std::size_t size = buffer.bytes().size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer.bytes().data(),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    const CUresult launched =
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
    // [/buffer]
    lockstep::report("launch", lockstep::name_of(launched));
    bool packed_right = false;
    if (launched == CUDA_SUCCESS && cudaDeviceSynchronize() == cudaSuccess)
        packed_right = shown("packed");
    return right && packed_right != no_gaps ? EXIT_SUCCESS : EXIT_FAILURE;
}
