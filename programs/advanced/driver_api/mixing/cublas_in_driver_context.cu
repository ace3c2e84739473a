// A program of the driver API calls cuBLAS, which is written with the runtime. The
// library works in the context that is current, on memory and in a stream that the
// driver API made.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    CUcontext context = nullptr;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuCtxCreate(&context, nullptr, 0, device));

    constexpr int n = 1000;
    std::vector<float> x(n);
    std::vector<float> y(n, 1);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i);
        expected[i] = 2 * x[i] + 1;
    }
    // [library]
    CUdeviceptr d_x = 0;
    CUdeviceptr d_y = 0;
    CUstream stream = nullptr;
    lockstep::check(cuMemAlloc(&d_x, n * sizeof(float)));
    lockstep::check(cuMemAlloc(&d_y, n * sizeof(float)));
    lockstep::check(cuMemcpyHtoD(d_x, x.data(), n * sizeof(float)));
    lockstep::check(cuMemcpyHtoD(d_y, y.data(), n * sizeof(float)));
    lockstep::check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

    cublasHandle_t cublas = nullptr;
    lockstep::check(cublasCreate(&cublas));  // in the current context
    lockstep::check(cublasSetStream(cublas, stream));  // CUstream is cudaStream_t
    const float two = 2;
    lockstep::check(cublasSaxpy(cublas, n, &two, reinterpret_cast<float*>(d_x), 1,
                                reinterpret_cast<float*>(d_y), 1));
    lockstep::check(cuStreamSynchronize(stream));
    lockstep::check(cuMemcpyDtoH(y.data(), d_y, n * sizeof(float)));
    CUcontext afterwards = nullptr;
    lockstep::check(cuCtxGetCurrent(&afterwards));
    // [/library]
    lockstep::check(cublasDestroy(cublas));
    const std::size_t wrong = lockstep::count_mismatches(y, expected);
    lockstep::report("elements", n);
    lockstep::report("wrong elements", wrong);
    lockstep::report("same context afterwards", afterwards == context);
    lockstep::check(cuStreamDestroy(stream));
    lockstep::check(cuMemFree(d_x));
    lockstep::check(cuMemFree(d_y));
    lockstep::check(cuCtxDestroy(context));
    return wrong == 0 && afterwards == context ? EXIT_SUCCESS : EXIT_FAILURE;
}
