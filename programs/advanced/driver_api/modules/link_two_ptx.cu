// A kernel and the function that it calls come from two sources of PTX, and are linked
// at run time. Without the second the link fails, and the log says what is missing.

#include <cstdlib>
#include <cstring>
#include <string>

#include <lockstep/driver.hpp>
#include <lockstep/measured.hpp>

// [sources]
const std::string caller = R"ptx(
    .version 7.0
    .target sm_75
    .address_size 64
    .extern .func (.param .b32 result) twice(.param .b32 x);
    .visible .entry run(.param .u64 out) {
        .reg .u32 %x;
        .reg .u64 %out;
        mov.u32 %x, 21;
        {
            .param .b32 argument;
            .param .b32 answer;
            st.param.b32 [argument], %x;
            call (answer), twice, (argument);
            ld.param.b32 %x, [answer];
        }
        ld.param.u64 %out, [out];
        st.global.u32 [%out], %x;
        ret;
    })ptx";
const std::string callee = R"ptx(
    .version 7.0
    .target sm_75
    .address_size 64
    .visible .func (.param .b32 result) twice(.param .b32 x) {
        .reg .u32 %x;
        ld.param.b32 %x, [x];
        add.u32 %x, %x, %x;
        st.param.b32 [result], %x;
        ret;
    })ptx";
// [/sources]

/// Adds a source to a link.
/// @param link  a link that was begun
/// @param ptx   the source
/// @param name  of the source, for messages
CUresult add(CUlinkState link, const std::string& ptx, const char* name) {
    return cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()),
                         ptx.size() + 1, name, 0, nullptr, nullptr);
}

// [options]
/// Links some sources, with options that return a log and the time.
/// @param state        a link that was begun, which the caller destroys
/// @param with_callee  whether the source of the called function is one of them
/// @param image        set to the linked code, which belongs to the link
/// @param log          set to what went wrong
/// @param ms           set to how long it took, in milliseconds
CUresult link_with_log(CUlinkState* state, bool with_callee, void** image,
                       std::string* log, float* ms) {
    static char errors[4096];
    static char infos[4096];
    CUjit_option options[] = {CU_JIT_WALL_TIME,
                              CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_INFO_LOG_BUFFER,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_LOG_VERBOSE};
    static void* slots[6];
    slots[0] = nullptr;
    slots[1] = errors;
    slots[2] = reinterpret_cast<void*>(sizeof errors);
    slots[3] = infos;
    slots[4] = reinterpret_cast<void*>(sizeof infos);
    slots[5] = reinterpret_cast<void*>(1);
    errors[0] = 0;
    lockstep::check(cuLinkCreate(6, options, slots, state));
    CUresult result = add(*state, caller, "caller.ptx");
    if (result == CUDA_SUCCESS && with_callee)
        result = add(*state, callee, "callee.ptx");
    std::size_t bytes = 0;
    if (result == CUDA_SUCCESS) result = cuLinkComplete(*state, image, &bytes);
    *log = errors;
    std::memcpy(ms, &slots[0], sizeof *ms);  // the slot holds a float now
    return result;
}
// [/options]

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));

    void* image = nullptr;
    std::string log;
    float ms = 0;
    CUlinkState alone = nullptr;
    const CUresult failed = link_with_log(&alone, false, &image, &log, &ms);
    lockstep::report("caller alone", lockstep::name_of(failed));
    lockstep::report("the log names twice", log.find("twice") != std::string::npos);
    lockstep::check(cuLinkDestroy(alone));

    CUlinkState timed = nullptr;
    const CUresult linked = link_with_log(&timed, true, &image, &log, &ms);
    lockstep::report("caller and callee", lockstep::name_of(linked));
    lockstep::check(linked);
    lockstep::report("linking took", lockstep::measured{ms}, "ms");
    lockstep::check(cuLinkDestroy(timed));

    // [link]
    CUlinkState both = nullptr;
    std::size_t bytes = 0;
    lockstep::check(cuLinkCreate(0, nullptr, nullptr, &both));  // no options
    lockstep::check(add(both, caller, "caller.ptx"));
    lockstep::check(add(both, callee, "callee.ptx"));
    lockstep::check(cuLinkComplete(both, &image, &bytes));
    CUmodule module = nullptr;
    lockstep::check(cuModuleLoadData(&module, image));
    lockstep::check(cuLinkDestroy(both));  // the module has its copy
    // [/link]

    // [run]
    CUfunction run = nullptr;
    CUdeviceptr out = 0;
    lockstep::check(cuModuleGetFunction(&run, module, "run"));
    lockstep::check(cuMemAlloc(&out, sizeof(int)));
    void* parameters[] = {&out};
    lockstep::check(
        cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    int answer = 0;
    lockstep::check(cuMemcpyDtoH(&answer, out, sizeof answer));
    // [/run]
    lockstep::report("twice 21", answer);
    lockstep::check(cuCtxDestroy(context));
    return failed != CUDA_SUCCESS && answer == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
