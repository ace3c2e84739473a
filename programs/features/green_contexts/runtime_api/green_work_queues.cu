// How do green contexts avoid sharing work queues? With a second resource beside the
// SMs: a configuration that says how many streams are expected to work at the same
// time, and that the queues should be the context's own where possible.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Occupies its SM for a while and notes when it ended.
/// @param ns   how long, in nanoseconds
/// @param end  one time in device memory, written
__global__ void task(unsigned long long ns, unsigned long long* end) {
    lockstep::busy_wait(ns);
    *end = lockstep::now_ns();
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    // [device]
    cudaDevResource queues{};
    lockstep::check(
        cudaDeviceGetDevResource(0, &queues, cudaDevResourceTypeWorkqueueConfig));
    const cudaDevWorkqueueConfigResource& of_device = queues.wqConfig;
    cudaDevResource existing{};
    lockstep::check(
        cudaDeviceGetDevResource(0, &existing, cudaDevResourceTypeWorkqueue));
    [[maybe_unused]] const cudaDevWorkqueueResource& opaque = existing.wq;
    // [/device]
    const bool shared = of_device.sharingScope == cudaDevWorkqueueConfigScopeDeviceCtx;
    lockstep::report("queues of the device", of_device.wqConcurrencyLimit);
    lockstep::report("shared by all contexts", shared);

    cudaDevResource all{};
    lockstep::check(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
    cudaDevResource groups[2]{};
    cudaDevSmResourceGroupParams sizes[2]{};
    sizes[0].smCount = sizes[1].smCount = 16;
    lockstep::check(cudaDevSmResourceSplit(groups, 2, &all, nullptr, 0, sizes));

    // [both]
    constexpr cudaDevWorkqueueConfigScope scope =
        cudaDevWorkqueueConfigScopeGreenCtxBalanced;
    cudaExecutionContext_t contexts[2]{};
    cudaStream_t streams[2]{};
    for (int i = 0; i < 2; ++i) {
        cudaDevResource resources[2] = {groups[i], {}};
        resources[1].type = cudaDevResourceTypeWorkqueueConfig;
        resources[1].wqConfig.device = 0;
        resources[1].wqConfig.wqConcurrencyLimit = 4;
        resources[1].wqConfig.sharingScope = scope;
        cudaDevResourceDesc_t descriptor = nullptr;
        lockstep::check(cudaDevResourceGenerateDesc(&descriptor, resources, 2));
        lockstep::check(cudaGreenCtxCreate(&contexts[i], descriptor, 0, 0));
        lockstep::check(cudaExecutionCtxStreamCreate(&streams[i], contexts[i],
                                                     cudaStreamDefault, 0));
    }
    // [/both]

    // [read-back]
    cudaDevResource given{};
    const cudaDevResourceType type = cudaDevResourceTypeWorkqueueConfig;
    lockstep::check(cudaExecutionCtxGetDevResource(contexts[0], &given, type));
    // [/read-back]
    lockstep::report("limit of the context", given.wqConfig.wqConcurrencyLimit);
    lockstep::report("queues of its own", given.wqConfig.sharingScope == scope);

    lockstep::device_buffer<unsigned long long> ends(3);
    ends.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    task<<<1, 1, 0, streams[0]>>>(1'000'000, ends.data());
    task<<<1, 1, 0, streams[0]>>>(1'000'000, ends.data() + 1);
    task<<<1, 1, 0, streams[1]>>>(1'000, ends.data() + 2);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const auto end = ends.to_host();
    lockstep::report("other context ran at once", end[2] < end[0]);
    for (int i = 0; i < 2; ++i) {
        lockstep::check(cudaStreamDestroy(streams[i]));
        lockstep::check(cudaExecutionCtxDestroy(contexts[i]));
    }
    const bool right = given.type != cudaDevResourceTypeInvalid &&
                       given.wqConfig.sharingScope == scope &&
                       existing.type == cudaDevResourceTypeWorkqueue && end[1] > end[0];
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
