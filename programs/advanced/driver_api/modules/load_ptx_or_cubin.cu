// The same hundred kernels as PTX and as a cubin. How long does it take from the module
// to the first result? PTX is compiled on the way; a cubin is ready, but fits this kind
// of GPU only.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>

constexpr int kernels = 100;

/// PTX of many kernels; kernel number i stores i.
std::string many_kernels() {
    std::string ptx = ".version 7.0\n.target sm_75\n.address_size 64\n";
    for (int i = 0; i < kernels; ++i) {
        const std::string number = std::to_string(i);
        ptx += ".visible .entry kernel" + number +
               "(.param .u64 out) {\n"
               "    .reg .u64 %out;\n"
               "    .reg .u32 %x;\n"
               "    ld.param.u64 %out, [out];\n"
               "    mov.u32 %x, " +
               number +
               ";\n"
               "    st.global.u32 [%out], %x;\n"
               "    ret;\n}\n";
    }
    return ptx;
}

// [load]
/// Loads a module, runs its last kernel, unloads it.
/// @param image  PTX or a cubin
/// @param out    one int in device memory, written
int load_and_run(const void* image, CUdeviceptr out) {
    CUmodule module = nullptr;
    CUfunction last = nullptr;
    lockstep::check(cuModuleLoadData(&module, image));  // sees which of the two it is
    lockstep::check(cuModuleGetFunction(&last, module, "kernel99"));
    void* arguments[] = {&out};
    lockstep::check(
        cuLaunchKernel(last, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    int found = 0;
    lockstep::check(cuMemcpyDtoH(&found, out, sizeof found));
    lockstep::check(cuModuleUnload(module));
    return found;
}
// [/load]

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));

    const std::string ptx = many_kernels();
    // [cubin]
    CUlinkState link = nullptr;
    void* image = nullptr;
    std::size_t bytes = 0;
    lockstep::check(cuLinkCreate(0, nullptr, nullptr, &link));
    lockstep::check(cuLinkAddData(link, CU_JIT_INPUT_PTX,
                                  const_cast<char*>(ptx.c_str()), ptx.size() + 1,
                                  "kernels.ptx", 0, nullptr, nullptr));
    lockstep::check(cuLinkComplete(link, &image, &bytes));
    // the image belongs to the link, so keep a copy
    const auto* begin = static_cast<const char*>(image);
    const std::vector<char> cubin(begin, begin + bytes);
    lockstep::check(cuLinkDestroy(link));
    // [/cubin]

    CUdeviceptr out = 0;
    lockstep::check(cuMemAlloc(&out, sizeof(int)));
    bool right = true;
    const auto ms = [&](const void* code) {
        return lockstep::time_on_host(
                   [&] { right = right && load_and_run(code, out) == kernels - 1; })
            .median_ms;
    };
    lockstep::report("kernels in the module", kernels);
    lockstep::report("PTX to first result", lockstep::measured{ms(ptx.c_str())}, "ms");
    lockstep::report("cubin to first result", lockstep::measured{ms(cubin.data())},
                     "ms");
    lockstep::report("results are right", right);
    lockstep::check(cuMemFree(out));
    lockstep::check(cuCtxDestroy(context));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
