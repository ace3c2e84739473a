// When is a kernel of a module loaded? The driver tells for each function. In lazy mode
// loading the module is not enough, and asking for the function's handle is.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

// [module]
// Four kernels that do nothing, as PTX.
constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry asked() { ret; }
.visible .entry inspected() { ret; }
.visible .entry forced() { ret; }
.visible .entry launched() { ret; }
)";
// [/module]

/// Whether a function is loaded now, in a word.
const char* state_of(CUfunction function) {
    CUfunctionLoadingState state{};
    lockstep::check(cuFuncIsLoaded(&state, function));
    return state == CU_FUNCTION_LOADING_STATE_LOADED ? "loaded" : "not loaded";
}

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context{};
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuDevicePrimaryCtxRetain(&context, device));
    lockstep::check(cuCtxSetCurrent(context));

    // [states]
    CUmodule module{};
    lockstep::check(cuModuleLoadData(&module, ptx));
    unsigned count = 0;
    lockstep::check(cuModuleGetFunctionCount(&count, module));
    CUfunction all[4]{};
    lockstep::check(cuModuleEnumerateFunctions(all, 4, module));
    int loaded = 0;
    for (CUfunction function : all) loaded += state_of(function)[0] == 'l';
    lockstep::report("functions of the module", count);
    lockstep::report("loaded with the module", loaded);

    CUfunction asked{};
    CUfunction inspected{};
    CUfunction forced{};
    CUfunction launched{};
    lockstep::check(cuModuleGetFunction(&asked, module, "asked"));
    lockstep::check(cuModuleGetFunction(&inspected, module, "inspected"));
    lockstep::check(cuModuleGetFunction(&forced, module, "forced"));
    lockstep::check(cuModuleGetFunction(&launched, module, "launched"));
    lockstep::report("after cuModuleGetFunction", state_of(asked));

    int registers = 0;
    lockstep::check(
        cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, inspected));
    lockstep::report("after cuFuncGetAttribute", state_of(inspected));
    lockstep::check(cuFuncLoad(forced));
    lockstep::report("after cuFuncLoad", state_of(forced));
    lockstep::check(
        cuLaunchKernel(launched, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    lockstep::report("after cuLaunchKernel", state_of(launched));
    lockstep::check(cuCtxSynchronize());
    // [/states]
    const bool right =
        count == 4 && state_of(forced)[0] == 'l' && state_of(launched)[0] == 'l';
    lockstep::check(cuModuleUnload(module));
    lockstep::check(cuDevicePrimaryCtxRelease(device));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
