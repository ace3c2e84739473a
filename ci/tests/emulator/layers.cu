// Memory in layers of rows, copies between peers, symbols in the order of a stream, and complex
// numbers.

#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "expect.hpp"

__constant__ int factor;
__device__ int total;

__global__ void multiply(cudaPitchedPtr area, int width, int height, int depth) {
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y) {
            auto* row = reinterpret_cast<int*>(static_cast<char*>(area.ptr) +
                                               (z * area.ysize + y) * area.pitch);
            if (int(threadIdx.x) < width) {
                row[threadIdx.x] *= factor;
                atomicAdd(&total, row[threadIdx.x]);
            }
        }
}
__global__ void divide(cuFloatComplex* x) {
    *x = cuCdivf(cuCmulf(*x, make_cuFloatComplex(1, 2)), make_cuFloatComplex(1, 1));
}
__global__ void inverses(double* x) {
    x[0] = erfinv(erf(0.25)), x[1] = erfcinv(erfc(3.0)), x[2] = normcdfinv(0.5);
    x[3] = erfinvf(-0.5F), x[4] = erfcinv(1.75), x[5] = erfinv(-1.0);
    x[6] = erfinv(erf(1e-9)) * 1e9, x[7] = erfinv(erf(-0.4375)) / -0.4375;
}

int main() {
    constexpr int width = 5, height = 3, depth = 2, n = width * height * depth;
    std::vector<int> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = i;
    const cudaExtent size = make_cudaExtent(width * sizeof(int), height, depth);
    cudaPitchedPtr area{};
    EXPECT(cudaMalloc3D(&area, size) == cudaSuccess);
    EXPECT(area.ysize == height && area.pitch >= size.width);
    EXPECT(cudaMemset3D(area, 0, size) == cudaSuccess);

    cudaMemcpy3DParms in{}, out{};
    in.srcPtr = make_cudaPitchedPtr(x.data(), size.width, width, height);
    in.dstPtr = area;
    in.extent = size;
    in.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&in) == cudaSuccess);
    cudaStream_t stream, other;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    const int three = 3, zero = 0;
    int sum = 0;
    EXPECT(cudaMemcpyToSymbolAsync(factor, &three, 4, 0, cudaMemcpyHostToDevice, stream) ==
           cudaSuccess);
    EXPECT(cudaMemcpyToSymbolAsync(total, &zero, 4, 0, cudaMemcpyHostToDevice, stream) ==
           cudaSuccess);
    EXPECT(cudaMemcpyToSymbolAsync(total, &zero, 8, 0, cudaMemcpyHostToDevice, stream) ==
           cudaErrorInvalidValue);
    multiply<<<1, 32, 0, stream>>>(area, width, height, depth);
    EXPECT(cudaMemcpyFromSymbolAsync(&sum, total, 4, 0, cudaMemcpyDeviceToHost, stream) ==
           cudaSuccess);
    out.srcPtr = area;
    out.dstPtr = make_cudaPitchedPtr(y.data(), size.width, width, height);
    out.extent = size;
    out.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3DAsync(&out, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    EXPECT(sum == 3 * n * (n - 1) / 2);
    for (int i = 0; i < n; ++i) EXPECT(y[i] == 3 * i);
    out.dstPos.z = 0, out.srcPos.z = 1;  // one layer alone, over the first
    out.extent.depth = 1;
    EXPECT(cudaMemcpy3D(&out) == cudaSuccess && y[0] == 3 * width * height);
    out.extent.depth = 9;
    EXPECT(cudaMemcpy3D(&out) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);

    int *from, *to, found = 0, device = 7;
    cudaMalloc(&from, 4);
    cudaMalloc(&to, 4);
    cudaMemcpy(from, &three, 4, cudaMemcpyHostToDevice);
    EXPECT(cudaMemcpyPeer(to, 0, from, 0, 4) == cudaSuccess);
    EXPECT(cudaMemcpyPeer(to, 1, from, 0, 4) == cudaErrorInvalidDevice);
    EXPECT(cudaMemcpyPeerAsync(to, 0, from, 0, 4, stream) == cudaSuccess);
    cudaMemcpy(&found, to, 4, cudaMemcpyDeviceToHost);
    unsigned long long id = 0, other_id = 0;
    EXPECT(cudaStreamGetDevice(stream, &device) == cudaSuccess && device == 0 && found == 3);
    EXPECT(cudaStreamGetId(stream, &id) == cudaSuccess);
    EXPECT(cudaStreamGetId(other, &other_id) == cudaSuccess && id != other_id);

    cuFloatComplex *d_number, number = make_cuFloatComplex(3, -1);
    cudaMalloc(&d_number, sizeof number);
    cudaMemcpy(d_number, &number, sizeof number, cudaMemcpyHostToDevice);
    divide<<<1, 1>>>(d_number);
    cudaMemcpy(&number, d_number, sizeof number, cudaMemcpyDeviceToHost);
    EXPECT(cuCrealf(number) == 5 && cuCimagf(number) == 0 && cuCabsf(number) == 5);

    double *d_values, values[8];
    cudaMalloc(&d_values, sizeof values);
    inverses<<<1, 1>>>(d_values);
    cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
    const double expected[] = {0.25, 3, 0, -0.4769362762, -0.8134198476};
    for (int i = 0; i < 5; ++i) EXPECT(std::fabs(values[i] - expected[i]) < 1e-7);
    EXPECT(std::isinf(values[5]) && values[5] < 0);
    EXPECT(std::fabs(values[6] - 1) < 1e-15 && std::fabs(values[7] - 1) < 1e-15);
    std::printf("%d failures\n", failures);
}
