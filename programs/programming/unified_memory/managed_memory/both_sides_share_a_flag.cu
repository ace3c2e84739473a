// Can the CPU and a running kernel talk through managed memory? Where concurrent
// managed access is 1 they can: the CPU raises a flag, the waiting kernel sees it and
// answers, and the CPU sees the answer while the kernel still runs. System-scope
// atomics make each side's writes visible to the other.

#include <chrono>
#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [mailbox]
/// One word for each direction, in managed memory.
struct mailbox {
    cuda::atomic<int, cuda::thread_scope_system> to_gpu;
    cuda::atomic<int, cuda::thread_scope_system> to_cpu;
};
// [/mailbox]

// [kernel]
/// Waits for two questions, one after the other, and answers each; gives up after
/// `patience` clock cycles each time.
/// @param mail      the mailbox, in managed memory
/// @param patience  cycles of the SM's clock
/// @param received       one int in device memory: 2 if both questions came
__global__ void answer(mailbox* mail, long long patience, int* received) {
    *received = 0;
    for (int question = 1; question <= 2; ++question) {
        const long long start = clock64();
        while (mail->to_gpu.load(cuda::memory_order_acquire) != question)
            if (clock64() - start > patience) return;
        *received += 1;
        mail->to_cpu.store(question * 21, cuda::memory_order_release);
    }
}
// [/kernel]

int main() {
    lockstep::require_device(70);

    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    lockstep::report("concurrent managed access", concurrent != 0);
    // touching the mailbox during the kernel would be a fault
    if (!concurrent) return EXIT_SUCCESS;

    mailbox* mail = nullptr;
    int* received = nullptr;
    lockstep::check(cudaMallocManaged(&mail, sizeof *mail));
    lockstep::check(cudaMallocManaged(&received, sizeof *received));
    mail->to_gpu.store(0);
    mail->to_cpu.store(0);

    // [talk]
    answer<<<1, 1>>>(mail, 4'000'000'000, received);
    lockstep::check(cudaGetLastError());
    int answers[2] = {};
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    for (int question = 1; question <= 2; ++question) {
        mail->to_gpu.store(question, cuda::memory_order_release);
        while (mail->to_cpu.load(cuda::memory_order_acquire) != question * 21)
            if (std::chrono::steady_clock::now() > give_up) break;
        answers[question - 1] = mail->to_cpu.load();
    }
    // [/talk]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("first answer", answers[0]);
    lockstep::report("second answer", answers[1]);
    lockstep::report("messages the kernel saw", *received);
    const bool right = answers[0] == 21 && answers[1] == 42 && *received == 2;
    lockstep::check(cudaFree(mail));
    lockstep::check(cudaFree(received));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
