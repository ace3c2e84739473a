// PTX that cannot be compiled. The result says only that; the log names the line.
// Options come in two arrays: what, and a slot of one word for each, in which a number
// may come back.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));

    // [load]
    const char* ptx =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry broken() {\n"
        "    mov.u32 %i, %tid.x;\n"  // %i is not declared
        "    ret;\n}";
    char errors[4096] = {};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_TARGET_FROM_CUCONTEXT};
    void* slots[] = {errors, reinterpret_cast<void*>(sizeof errors), nullptr};
    CUmodule module = nullptr;
    const CUresult result = cuModuleLoadDataEx(&module, ptx, 3, options, slots);
    // [/load]
    lockstep::report("result", lockstep::name_of(result));
    std::printf("%s\n", errors);
    const bool named = std::strstr(errors, "%i") != nullptr;

    // [again]
    // the driver wrote here how long its text is
    const auto used = reinterpret_cast<std::size_t>(slots[1]);
    errors[0] = 0;
    const char* sound =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry sound() { ret; "
        "}";
    lockstep::check(cuModuleLoadDataEx(&module, sound, 3, options, slots));
    // nothing to say: no characters
    const auto room = reinterpret_cast<std::size_t>(slots[1]);
    const CUresult once_more = cuModuleLoadDataEx(&module, ptx, 3, options, slots);
    // [/again]
    lockstep::report("characters of the log", used);
    lockstep::report("log size after valid module", room);
    lockstep::report("second faulty load", lockstep::name_of(once_more));
    lockstep::report("characters of second log", std::strlen(errors));
    lockstep::check(cuCtxDestroy(context));
    return result == CUDA_ERROR_INVALID_PTX && once_more == result && named
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
