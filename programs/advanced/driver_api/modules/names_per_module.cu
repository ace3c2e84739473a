// Two modules define a kernel and a variable of the same name. Do they get in each
// other's way? No: names belong to their module, and so does the memory of a variable.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

// [source]
const char* const ptx = R"ptx(
    .version 7.0
    .target sm_75
    .address_size 64
    .visible .global .u32 factor = 2;
    .visible .entry scale(.param .u64 x) {
        .reg .u64 %x;
        .reg .u32 %value, %factor;
        ld.param.u64 %x, [x];
        ld.global.u32 %value, [%x];
        ld.global.u32 %factor, [factor];
        mul.lo.u32 %value, %value, %factor;
        st.global.u32 [%x], %value;
        ret;
    })ptx";
// [/source]

/// Scales 7 by a module's kernel.
/// @param module  has a kernel `scale`
/// @param x       one int in device memory, overwritten
int scaled(CUmodule module, CUdeviceptr x) {
    CUfunction scale = nullptr;
    lockstep::check(cuModuleGetFunction(&scale, module, "scale"));
    lockstep::check(cuMemsetD32(x, 7, 1));
    void* arguments[] = {&x};
    lockstep::check(
        cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    int result = 0;
    lockstep::check(cuMemcpyDtoH(&result, x, sizeof result));
    return result;
}

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));
    CUdeviceptr x = 0;
    lockstep::check(cuMemAlloc(&x, sizeof(int)));

    // [modules]
    CUmodule one = nullptr;
    CUmodule other = nullptr;
    lockstep::check(cuModuleLoadData(&one, ptx));
    lockstep::check(cuModuleLoadData(&other, ptx));
    CUdeviceptr factor_of_one = 0;
    CUdeviceptr factor_of_other = 0;
    std::size_t bytes = 0;
    lockstep::check(cuModuleGetGlobal(&factor_of_one, &bytes, one, "factor"));
    lockstep::check(cuModuleGetGlobal(&factor_of_other, &bytes, other, "factor"));
    const unsigned three = 3;
    lockstep::check(cuMemcpyHtoD(factor_of_other, &three, sizeof three));
    const int by_one = scaled(one, x);
    const int by_other = scaled(other, x);
    lockstep::check(cuModuleUnload(one));  // and with it its kernel and its variable
    const int afterwards = scaled(other, x);
    // [/modules]
    lockstep::report("bytes of factor", bytes);
    lockstep::report("the same variable", factor_of_one == factor_of_other);
    lockstep::report("7 scaled by one", by_one);
    lockstep::report("7 scaled by the other", by_other);
    lockstep::report("with one unloaded", afterwards);
    lockstep::check(cuMemFree(x));
    lockstep::check(cuCtxDestroy(context));
    return by_one == 14 && by_other == 21 && afterwards == 21 ? EXIT_SUCCESS
                                                              : EXIT_FAILURE;
}
