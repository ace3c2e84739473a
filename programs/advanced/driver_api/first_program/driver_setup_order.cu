// Each step of the setup needs the one before. What does a call return that is made too
// early?

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    // [steps]
    CUdevice device = 0;
    const CUresult before_init = cuDeviceGet(&device, 0);
    lockstep::check(cuInit(0));
    CUdeviceptr memory = 0;
    const CUresult before_context = cuMemAlloc(&memory, 1024);
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));
    const CUresult with_context = cuMemAlloc(&memory, 1024);
    CUmodule module = nullptr;
    const CUresult no_file = cuModuleLoad(&module, "no_such_file.ptx");
    const char* ptx =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { "
        "ret; }";
    lockstep::check(cuModuleLoadData(&module, ptx));
    CUfunction function = nullptr;
    const CUresult wrong_name = cuModuleGetFunction(&function, module, "something");
    // [/steps]
    lockstep::report("before cuInit", lockstep::name_of(before_init));
    lockstep::report("without a context", lockstep::name_of(before_context));
    lockstep::report("with a context", lockstep::name_of(with_context));
    lockstep::report("file that is not there", lockstep::name_of(no_file));
    lockstep::report("function that is not there", lockstep::name_of(wrong_name));
    lockstep::check(cuCtxDestroy(context));
    return before_init == CUDA_ERROR_NOT_INITIALIZED &&
                   before_context == CUDA_ERROR_INVALID_CONTEXT &&
                   with_context == CUDA_SUCCESS && wrong_name == CUDA_ERROR_NOT_FOUND
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
