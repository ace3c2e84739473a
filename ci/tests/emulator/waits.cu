// A host that waits without a call of the API: the device goes on meanwhile. And how much memory
// there is.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "expect.hpp"

__global__ void set(volatile int* x) { *x = 1; }

static void raise(void* flag) { *static_cast<volatile int*>(flag) = 1; }
static void rest(void* flag) {
    std::this_thread::yield();  // in a function of a stream: nothing else begins
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++*static_cast<volatile int*>(flag);
}

template <class Wait>
static bool comes(volatile int* flag, Wait wait) {
    using clock = std::chrono::steady_clock;
    const auto until = clock::now() + std::chrono::seconds(10);
    while (*flag == 0 && clock::now() < until) wait();
    return *flag == 1;
}

static void device_goes_on() {
    int* flag = nullptr;
    EXPECT(cudaMallocHost(&flag, sizeof(int)) == cudaSuccess);
    const auto yields = [] { std::this_thread::yield(); };
    const auto sleeps = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const auto sleeps_until = [] {
        std::this_thread::sleep_until(std::chrono::steady_clock::now() +
                                      std::chrono::milliseconds(20));
    };
    *flag = 0;
    set<<<1, 1>>>(flag);
    EXPECT(comes(flag, yields));
    *flag = 0;
    set<<<1, 1>>>(flag);
    EXPECT(comes(flag, sleeps));
    *flag = 0;
    EXPECT(cudaLaunchHostFunc(nullptr, raise, flag) == cudaSuccess);
    EXPECT(comes(flag, sleeps_until));
    *flag = 0;
    for (int i = 0; i < 3; ++i) EXPECT(cudaLaunchHostFunc(nullptr, rest, flag) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *flag == 3);
    EXPECT(cudaFreeHost(flag) == cudaSuccess);
}

static void sleep_lasts() {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    std::this_thread::sleep_for(std::chrono::duration<double>(0.03));
    EXPECT(clock::now() - begin >= std::chrono::milliseconds(30));
    const auto middle = clock::now();
    std::this_thread::sleep_for(std::chrono::seconds(-30));
    std::this_thread::sleep_until(middle - std::chrono::seconds(30));
    EXPECT(clock::now() - middle < std::chrono::seconds(20));
}

static void memory() {
    size_t free = 0, total = 0;
    EXPECT(cudaMemGetInfo(&free, &total) == cudaSuccess);  // before any allocation
    EXPECT(free == total && total >= size_t(300) << 20);
    std::vector<void*> taken(4);
    for (void*& one : taken) EXPECT(cudaMalloc(&one, size_t(64) << 20) == cudaSuccess);
    EXPECT(cudaMemGetInfo(&free, &total) == cudaSuccess);
    EXPECT(total - free >= size_t(256) << 20);
    for (void* one : taken) EXPECT(cudaFree(one) == cudaSuccess);
}

int main() {
    memory();
    device_goes_on();
    sleep_lasts();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
