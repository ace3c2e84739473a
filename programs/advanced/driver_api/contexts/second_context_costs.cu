// What does a second context on the same device cost? Time to create it, device memory,
// and, above all, concurrency: kernels of two contexts take turns, while kernels of two
// streams in one context run at the same time.

#include <cstdlib>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>

// [kernel]
/// A chain of multiplications in one thread; stores the last product.
const char* const ptx = R"ptx(
    .version 7.0
    .target sm_75
    .address_size 64
    .visible .entry work(.param .u32 steps, .param .u64 out) {
        .reg .pred %more;
        .reg .u32 %i, %n, %x;
        .reg .u64 %out;
        ld.param.u32 %n, [steps];
        mov.u32 %i, 0;
        mov.u32 %x, 1;
    again:
        mad.lo.u32 %x, %x, %x, %i;
        add.u32 %i, %i, 1;
        setp.lt.u32 %more, %i, %n;
        @%more bra again;
        ld.param.u64 %out, [out];
        st.global.u32 [%out], %x;
        ret;
    })ptx";
// [/kernel]

constexpr unsigned steps = 1'000'000;

/// What one context needs to launch the kernel in a stream of its own.
struct launcher {
    CUcontext context;
    CUstream stream;
    CUfunction work;
    CUdeviceptr out;
};

/// Gives a context its module, stream and memory.
launcher make_launcher(CUcontext context) {
    launcher made{context, nullptr, nullptr, 0};
    CUmodule module = nullptr;
    lockstep::check(cuCtxPushCurrent(context));
    lockstep::check(cuModuleLoadData(&module, ptx));
    lockstep::check(cuModuleGetFunction(&made.work, module, "work"));
    lockstep::check(cuStreamCreate(&made.stream, CU_STREAM_NON_BLOCKING));
    lockstep::check(cuMemAlloc(&made.out, sizeof(unsigned)));
    lockstep::check(cuCtxPopCurrent(nullptr));
    return made;
}

// [both]
/// Launches the kernel by each launcher, waits for all, and says how long that took.
double time_ms(const std::vector<launcher>& launchers) {
    return lockstep::time_on_host([&] {
               for (const launcher& each : launchers) {
                   unsigned n = steps;
                   CUdeviceptr out = each.out;
                   void* arguments[] = {&n, &out};
                   lockstep::check(cuCtxPushCurrent(each.context));
                   lockstep::check(cuLaunchKernel(each.work, 1, 1, 1, 1, 1, 1, 0,
                                                  each.stream, arguments, nullptr));
                   lockstep::check(cuCtxPopCurrent(nullptr));
               }
               for (const launcher& each : launchers) {
                   lockstep::check(cuCtxPushCurrent(each.context));
                   lockstep::check(cuStreamSynchronize(each.stream));
                   lockstep::check(cuCtxPopCurrent(nullptr));
               }
           })
        .median_ms;
}
// [/both]

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));

    // [create]
    CUcontext a = nullptr;
    CUcontext b = nullptr;
    lockstep::check(cuCtxCreate(&a, nullptr, 0, device));
    std::size_t free_before = 0;
    std::size_t free_after = 0;
    std::size_t total = 0;
    lockstep::check(cuMemGetInfo(&free_before, &total));
    const double create_ms =
        lockstep::time_on_host(
            [&] {
                if (b) lockstep::check(cuCtxDestroy(b));
                lockstep::check(cuCtxCreate(&b, nullptr, 0, device));
            },
            5)
            .median_ms;
    lockstep::check(cuCtxSetCurrent(a));
    lockstep::check(cuMemGetInfo(&free_after, &total));
    // [/create]
    const double taken_mib =
        (static_cast<double>(free_before) - static_cast<double>(free_after)) /
        (1 << 20);
    const double switch_us = 1e3 * lockstep::time_on_host([&] {
                                       for (int i = 0; i < 1000; ++i) {
                                           lockstep::check(cuCtxPushCurrent(b));
                                           lockstep::check(cuCtxPopCurrent(nullptr));
                                       }
                                   }).median_ms /
                             1000;

    const launcher first = make_launcher(a);
    const launcher second = make_launcher(a);
    const launcher elsewhere = make_launcher(b);
    const double alone = time_ms({first});
    const double one_context = time_ms({first, second});
    const double two_contexts = time_ms({first, elsewhere});

    unsigned expected = 1;
    for (unsigned i = 0; i < steps; ++i) expected = expected * expected + i;
    bool right = true;
    for (const launcher& each : {first, second, elsewhere}) {
        unsigned found = 0;
        lockstep::check(cuCtxPushCurrent(each.context));
        lockstep::check(cuMemcpyDtoH(&found, each.out, sizeof found));
        lockstep::check(cuCtxPopCurrent(nullptr));
        right = right && found == expected;
    }
    lockstep::report("destroy and create again", lockstep::measured{create_ms}, "ms");
    lockstep::report("device memory taken", lockstep::measured{taken_mib}, "MiB");
    lockstep::report("push and pop", lockstep::measured{switch_us}, "us");
    lockstep::report("1 kernel alone", lockstep::measured{alone}, "ms");
    lockstep::report("2 kernels, 1 context", lockstep::measured{one_context}, "ms");
    lockstep::report("2 kernels, 2 contexts", lockstep::measured{two_contexts}, "ms");
    lockstep::report("results are right", right);
    lockstep::check(cuCtxDestroy(b));
    lockstep::check(cuCtxDestroy(a));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
