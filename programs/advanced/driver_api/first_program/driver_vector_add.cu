// A whole program with the driver API alone: initialize, choose a device, make a
// context, load a module, find a function, allocate, copy, launch. The kernel is PTX,
// and nvcc's additions to C++ are not needed.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

// [ptx]
const char* const ptx = R"ptx(
    .version 7.0
    .target sm_75
    .address_size 64
    .visible .entry add(.param .u32 n, .param .u64 a, .param .u64 b, .param .u64 c) {
        .reg .pred %beyond;
        .reg .u32 %i, %n, %block, %size;
        .reg .u64 %offset, %a, %b, %c;
        .reg .f32 %x, %y;
        mov.u32 %block, %ctaid.x;
        mov.u32 %size, %ntid.x;
        mov.u32 %i, %tid.x;
        mad.lo.u32 %i, %block, %size, %i;
        ld.param.u32 %n, [n];
        setp.ge.u32 %beyond, %i, %n;
        @%beyond ret;
        mul.wide.u32 %offset, %i, 4;
        ld.param.u64 %a, [a];
        ld.param.u64 %b, [b];
        ld.param.u64 %c, [c];
        add.u64 %a, %a, %offset;
        add.u64 %b, %b, %offset;
        add.u64 %c, %c, %offset;
        ld.global.f32 %x, [%a];
        ld.global.f32 %y, [%b];
        add.f32 %x, %x, %y;
        st.global.f32 [%c], %x;
        ret;
    })ptx";
// [/ptx]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    unsigned n = options.integer<unsigned>("n", 100'000, 1, 1 << 26);
    options.finish();

    // [setup]
    lockstep::check(cuInit(0));
    int devices = 0;
    lockstep::check(cuDeviceGetCount(&devices));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));
    CUcontext context = nullptr;
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));  // and makes it current
    CUmodule module = nullptr;
    // compiled here, for the GPU that is there
    lockstep::check(cuModuleLoadData(&module, ptx));
    CUfunction add = nullptr;
    lockstep::check(cuModuleGetFunction(&add, module, "add"));
    // [/setup]

    std::vector<float> a(n);
    std::vector<float> b(n);
    std::vector<float> c(n);
    std::vector<float> expected(n);
    for (unsigned i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(i % 100);
        expected[i] = a[i] + b[i];
    }
    // [work]
    const std::size_t bytes = n * sizeof(float);
    CUdeviceptr d_a = 0;
    CUdeviceptr d_b = 0;
    CUdeviceptr d_c = 0;
    lockstep::check(cuMemAlloc(&d_a, bytes));
    lockstep::check(cuMemAlloc(&d_b, bytes));
    lockstep::check(cuMemAlloc(&d_c, bytes));
    lockstep::check(cuMemcpyHtoD(d_a, a.data(), bytes));
    lockstep::check(cuMemcpyHtoD(d_b, b.data(), bytes));
    void* parameters[] = {&n, &d_a, &d_b, &d_c};  // pointers to the arguments
    lockstep::check(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr,
                                   parameters, nullptr));
    lockstep::check(cuMemcpyDtoH(c.data(), d_c, bytes));
    // [/work]
    lockstep::check(cuModuleUnload(module));
    lockstep::check(cuCtxDestroy(context));  // and all that belongs to it

    const std::size_t wrong = lockstep::count_mismatches(c, expected);
    lockstep::report("elements", n);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 && devices > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
