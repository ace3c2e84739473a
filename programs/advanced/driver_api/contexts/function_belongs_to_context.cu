// What belongs to a context? A function does: launched with another context current it
// is no valid handle. An address does not: all contexts of a process share one range,
// and a copy finds its way.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));

    // [foreign]
    CUcontext a = nullptr;
    lockstep::check(cuCtxCreate(&a, nullptr, 0, device));
    const char* ptx =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { "
        "ret; }";
    CUmodule module = nullptr;
    CUfunction nothing = nullptr;
    CUdeviceptr memory = 0;
    int number = 42;
    lockstep::check(cuModuleLoadData(&module, ptx));
    lockstep::check(cuModuleGetFunction(&nothing, module, "nothing"));
    lockstep::check(cuMemAlloc(&memory, sizeof number));
    lockstep::check(cuMemcpyHtoD(memory, &number, sizeof number));

    CUcontext b = nullptr;
    lockstep::check(cuCtxCreate(&b, nullptr, 0, device));  // B is current now
    const CUresult launch =
        cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    number = 0;
    const CUresult copy = cuMemcpyDtoH(&number, memory, sizeof number);
    // [/foreign]
    lockstep::report("launch of A's function in B", lockstep::name_of(launch));
    lockstep::report("copy of A's memory in B", lockstep::name_of(copy));
    lockstep::report("value copied", number);
    lockstep::check(cuCtxDestroy(b));
    lockstep::check(cuCtxDestroy(a));
    return launch != CUDA_SUCCESS && copy == CUDA_SUCCESS && number == 42
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
