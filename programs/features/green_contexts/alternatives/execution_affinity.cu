// Can an ordinary context be limited to some of the SMs? With an execution affinity,
// but only in a client of the multi-process service (MPS). Elsewhere the call is
// refused.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));

    // [affinity]
    int supported = 0;
    lockstep::check(cuDeviceGetExecAffinitySupport(
        &supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
    CUexecAffinityParam affinity{};
    affinity.type = CU_EXEC_AFFINITY_TYPE_SM_COUNT;
    affinity.param.smCount.val = 16;
    CUctxCreateParams params{};
    params.execAffinityParams = &affinity;
    params.numExecAffinityParams = 1;
    CUcontext context = nullptr;
    const CUresult result = cuCtxCreate(&context, &params, 0, device);
    // [/affinity]
    lockstep::report("affinity supported", supported != 0);
    lockstep::report("context limited to 16 SMs", lockstep::name_of(result));
    if (result == CUDA_SUCCESS) lockstep::check(cuCtxDestroy(context));
    return (supported != 0) == (result == CUDA_SUCCESS) ? EXIT_SUCCESS : EXIT_FAILURE;
}
