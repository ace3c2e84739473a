// How does the runtime API create green contexts? From CUDA 13.1 on, with calls that
// mirror those of the driver API, and no flags that are mandatory. A green context and
// the primary context are both "execution contexts" there.

#include <cstdlib>

#include <lockstep/owned_event.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

int main() {
    lockstep::require_device();
    // [resource]
    lockstep::check(cudaInitDevice(0, 0, 0));  // initializes the primary context
    cudaDevResource all{};
    lockstep::check(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
    const cudaDevSmResource& sms = all.sm;
    // [/resource]

    // [split]
    cudaDevResource groups[2]{};
    cudaDevSmResourceGroupParams sizes[2]{};
    sizes[0].smCount = 16;
    sizes[1].smCount = 8;
    lockstep::check(cudaDevSmResourceSplit(groups, 2, &all, nullptr, 0, sizes));
    // [/split]

    // [create]
    cudaExecutionContext_t contexts[2]{};
    cudaStream_t streams[2]{};
    for (int i = 0; i < 2; ++i) {
        cudaDevResourceDesc_t descriptor = nullptr;
        lockstep::check(cudaDevResourceGenerateDesc(&descriptor, &groups[i], 1));
        lockstep::check(cudaGreenCtxCreate(&contexts[i], descriptor, 0, 0));
        lockstep::check(cudaExecutionCtxStreamCreate(&streams[i], contexts[i],
                                                     cudaStreamDefault, 0));
    }
    // [/create]
    const auto first = lockstep::sms_of(streams[0]);
    const auto second = lockstep::sms_of(streams[1]);

    // [queries]
    cudaDevResource of_context{};
    cudaDevResource of_stream{};
    lockstep::check(cudaExecutionCtxGetDevResource(contexts[0], &of_context,
                                                   cudaDevResourceTypeSm));
    lockstep::check(
        cudaStreamGetDevResource(streams[0], &of_stream, cudaDevResourceTypeSm));
    int device = -1;
    unsigned long long numbers[2]{};
    lockstep::check(cudaExecutionCtxGetDevice(&device, contexts[0]));
    lockstep::check(cudaExecutionCtxGetId(contexts[0], &numbers[0]));
    lockstep::check(cudaExecutionCtxGetId(contexts[1], &numbers[1]));
    // [/queries]

    // [order]
    const lockstep::owned_event done(cudaEventDisableTiming);
    lockstep::check(cudaExecutionCtxRecordEvent(contexts[0], done));
    lockstep::check(cudaExecutionCtxWaitEvent(contexts[1], done));
    lockstep::check(cudaExecutionCtxSynchronize(contexts[1]));  // this one alone
    cudaExecutionContext_t primary = nullptr;
    lockstep::check(cudaDeviceGetExecutionCtx(&primary, 0));
    lockstep::check(cudaExecutionCtxSynchronize(primary));  // and all green ones
    // [/order]

    // [destroy]
    for (int i = 0; i < 2; ++i) {
        lockstep::check(cudaStreamDestroy(streams[i]));
        lockstep::check(cudaExecutionCtxDestroy(contexts[i]));
    }
    // [/destroy]
    lockstep::report("SMs of the device", sms.smCount);
    lockstep::report("SMs used in context 1", first.size());
    lockstep::report("SMs used in context 2", second.size());
    lockstep::report("SMs used in both", lockstep::in_both(first, second));
    const bool right = first.size() == 16 && second.size() == 8 &&
                       lockstep::in_both(first, second) == 0 &&
                       of_context.type == cudaDevResourceTypeSm &&
                       of_context.sm.smCount == 16 && of_stream.sm.smCount == 16 &&
                       device == 0 && numbers[0] != numbers[1];
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
