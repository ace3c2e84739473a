// Which events can be exported, and what can they not do? One process asks for handles
// of several events, opens its own handle, and asks for a time.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    const auto show = [](const char* label, cudaError_t found) {
        lockstep::report(label, cudaGetErrorName(found));
        cudaGetLastError();  // forget it
        return found;
    };
    // [create]
    int supported = 0;
    lockstep::check(cudaDeviceGetAttribute(&supported, cudaDevAttrIpcEventSupport, 0));
    lockstep::report("IPC events supported", supported != 0);
    cudaEvent_t timed = nullptr, plain = nullptr, shared = nullptr;
    const cudaError_t with_timing =
        show("create: interprocess alone",
             cudaEventCreateWithFlags(&timed, cudaEventInterprocess));
    lockstep::check(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    lockstep::check(cudaEventCreateWithFlags(
        &shared, cudaEventInterprocess | cudaEventDisableTiming));
    // [/create]

    // [refused]
    cudaIpcEventHandle_t handle{};
    const cudaError_t of_plain =
        show("handle: one flag missing", cudaIpcGetEventHandle(&handle, plain));
    const cudaError_t of_shared =
        show("handle: both flags", cudaIpcGetEventHandle(&handle, shared));
    cudaEvent_t opened = nullptr;
    show("open: in the same process", cudaIpcOpenEventHandle(&opened, handle));
    // [/refused]

    // [unrecorded]
    show("ask: never recorded", cudaEventQuery(shared));
    lockstep::check(cudaEventRecord(shared));
    lockstep::check(cudaEventSynchronize(shared));
    float ms = 0;
    const cudaError_t elapsed =
        show("elapsed time", cudaEventElapsedTime(&ms, shared, shared));
    // [/unrecorded]
    if (opened) lockstep::check(cudaEventDestroy(opened));
    if (timed) lockstep::check(cudaEventDestroy(timed));
    lockstep::check(cudaEventDestroy(plain));
    lockstep::check(cudaEventDestroy(shared));
    const bool right = with_timing != cudaSuccess && of_plain != cudaSuccess &&
                       of_shared == cudaSuccess && elapsed != cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
