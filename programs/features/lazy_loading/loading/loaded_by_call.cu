// Which call loads a function? Of these, cuFuncLoad and a launch do. The function
// cuModuleEnumerateFunctions returns handles without loading anything, so each call
// gets the handle of a function that is not loaded yet, in a module of its own. A
// second function of the same module is not touched.

#include <cstdio>
#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>

// [module]
// Two kernels that do nothing, as PTX.
constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry touched() { ret; }
.visible .entry untouched() { ret; }
)";
// [/module]

/// Whether a function is loaded now.
bool is_loaded(CUfunction function) {
    CUfunctionLoadingState state{};
    lockstep::check(cuFuncIsLoaded(&state, function));
    return state == CU_FUNCTION_LOADING_STATE_LOADED;
}

// [try]
/// Loads the module again, makes a call for one of its functions, and prints a line.
/// @param label  name of the call
/// @param call   takes a CUfunction, and returns a CUresult
/// @return whether the function was loaded after it
template <class Call>
bool try_call(const char* label, Call call) {
    CUmodule module{};
    lockstep::check(cuModuleLoadData(&module, ptx));
    CUfunction all[2]{};
    lockstep::check(cuModuleEnumerateFunctions(all, 2, module));
    const bool before = is_loaded(all[0]);
    lockstep::check(call(all[0]));
    const bool after = is_loaded(all[0]), other = is_loaded(all[1]);
    std::printf("%-24s %-6s %-6s %s\n", label, before ? "yes" : "no",
                after ? "yes" : "no", other ? "yes" : "no");
    lockstep::check(cuCtxSynchronize());
    lockstep::check(cuModuleUnload(module));
    return after;
}
// [/try]

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context{};
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuDevicePrimaryCtxRetain(&context, device));
    lockstep::check(cuCtxSetCurrent(context));

    std::printf("%-24s %-6s %-6s %s\n", "loaded?", "before", "after", "the other one");
    // [calls]
    try_call("cuFuncIsLoaded", [](CUfunction f) {
        CUfunctionLoadingState state{};
        return cuFuncIsLoaded(&state, f);
    });
    try_call("cuFuncGetName", [](CUfunction f) {
        const char* name = nullptr;
        return cuFuncGetName(&name, f);
    });
    try_call("cuFuncGetAttribute", [](CUfunction f) {
        int registers = 0;
        return cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
    });
    const bool loaded =
        try_call("cuFuncLoad", [](CUfunction f) { return cuFuncLoad(f); });
    const bool launched = try_call("cuLaunchKernel", [](CUfunction f) {
        return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    });
    // [/calls]
    lockstep::check(cuDevicePrimaryCtxRelease(device));
    return loaded && launched ? EXIT_SUCCESS : EXIT_FAILURE;
}
