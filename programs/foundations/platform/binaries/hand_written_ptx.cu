// What does PTX look like, and does one need CUDA C++ to run a kernel? PTX is text.
// This program holds a kernel in it, hands the text to the driver, which compiles it
// for the GPU at hand, and launches the result. Compilers of other languages go the
// same way.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(75);

    // [ptx]
    const char* ptx = R"ptx(
        .version 7.0                              // of the language
        .target sm_75                             // the oldest that toolkit 13.0 supports
        .address_size 64
        .visible .entry square(.param .u64 out) {
            .reg .u32 %i, %square;
            .reg .u64 %base, %offset;
            ld.param.u64       %base, [out];
            cvta.to.global.u64 %base, %base;
            mov.u32            %i, %tid.x;        // threadIdx.x
            mul.lo.u32         %square, %i, %i;
            mul.wide.u32       %offset, %i, 4;
            add.u64            %base, %base, %offset;
            st.global.u32      [%base], %square;  // out[i] = i * i
            ret;
        })ptx";
    // [/ptx]

    // [load]
    cudaLibrary_t library{};
    cudaKernel_t square{};
    lockstep::check(
        cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    lockstep::check(cudaLibraryGetKernel(&square, library, "square"));
    // [/load]

    constexpr unsigned n = 8;
    lockstep::device_buffer<unsigned> d_out(n);
    d_out.fill_bytes(0xFF);
    // [launch]
    unsigned* out_argument = d_out.data();
    void* parameters[] = {&out_argument};
    lockstep::check(cudaLaunchKernel(reinterpret_cast<const void*>(square), dim3(1),
                                     dim3(n), parameters, 0, nullptr));
    // [/launch]
    const std::vector<unsigned> out = d_out.to_host();
    lockstep::check(cudaLibraryUnload(library));

    bool right = true;
    for (unsigned i = 0; i < n; ++i) {
        std::printf("%u%s", out[i], i + 1 < n ? " " : "\n");
        right = right && out[i] == i * i;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
