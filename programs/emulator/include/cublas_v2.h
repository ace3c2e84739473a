// cuBLAS: products and sums of matrices, by kernels that take one thread for each element.
#pragma once

#include <cuda_runtime.h>

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };

struct cublasContext {
    cudaStream_t stream = nullptr;
};
using cublasHandle_t = cublasContext*;

static inline const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
        case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
        case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    }
    return "unrecognized error code";
}
static inline const char* cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS: return "success";
        case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
        case CUBLAS_STATUS_INVALID_VALUE:
            return "an unsupported value or parameter was passed to the function";
        case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    }
    return "unrecognized error code";
}

static inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

// Matrices lie column by column, `leading` elements from one to the next.
template <class T>
static __device__ T __emu_element(const T* matrix, int leading, bool transposed, int row,
                                  int column) {
    return transposed ? matrix[column + size_t(row) * leading]
                      : matrix[row + size_t(column) * leading];
}

template <class T>
static __global__ void __emu_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, T alpha,
                                  const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y;
    if (row >= m) return;
    T sum = 0;
    for (int i = 0; i < k; ++i)
        sum += __emu_element(a, lda, transpose_a, row, i) *
               __emu_element(b, ldb, transpose_b, i, column);
    T& out = c[row + size_t(column) * ldc];
    out = alpha * sum + (beta == 0 ? 0 : beta * out);
}

template <class T>
static __global__ void __emu_geam(bool transpose_a, bool transpose_b, int m, int n, T alpha,
                                  const T* a, int lda, T beta, const T* b, int ldb, T* c, int ldc) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y;
    if (row >= m) return;
    T sum = 0;  // a matrix whose factor is zero is not read
    if (alpha != 0) sum += alpha * __emu_element(a, lda, transpose_a, row, column);
    if (beta != 0) sum += beta * __emu_element(b, ldb, transpose_b, row, column);
    c[row + size_t(column) * ldc] = sum;
}

static inline dim3 __emu_matrix_grid(int m, int n) { return dim3((m + 255) / 256, n); }
static inline cublasStatus_t __emu_launched() {
    return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                             : CUBLAS_STATUS_EXECUTION_FAILED;
}
static inline bool __emu_fits(cublasOperation_t operation, int rows, int columns, int leading) {
    return leading >= (operation == CUBLAS_OP_N ? rows : columns) && leading > 0;
}

template <class T>
static cublasStatus_t __emu_multiply(cublasHandle_t handle, cublasOperation_t of_a,
                                     cublasOperation_t of_b, int m, int n, int k, const T* alpha,
                                     const T* a, int lda, const T* b, int ldb, const T* beta, T* c,
                                     int ldc) {
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || k < 0 || !alpha || !beta || !__emu_fits(of_a, m, k, lda) ||
        !__emu_fits(of_b, k, n, ldb) || !__emu_fits(CUBLAS_OP_N, m, n, ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    __emu_gemm<<<__emu_matrix_grid(m, n), 256, 0, handle->stream>>>(
        of_a != CUBLAS_OP_N, of_b != CUBLAS_OP_N, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
    return __emu_launched();
}
static inline cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t of_a,
                                         cublasOperation_t of_b, int m, int n, int k,
                                         const float* alpha, const float* a, int lda,
                                         const float* b, int ldb, const float* beta, float* c,
                                         int ldc) {
    return __emu_multiply(handle, of_a, of_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
static inline cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t of_a,
                                         cublasOperation_t of_b, int m, int n, int k,
                                         const double* alpha, const double* a, int lda,
                                         const double* b, int ldb, const double* beta, double* c,
                                         int ldc) {
    return __emu_multiply(handle, of_a, of_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
static inline cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t of_a,
                                         cublasOperation_t of_b, int m, int n, const float* alpha,
                                         const float* a, int lda, const float* beta, const float* b,
                                         int ldb, float* c, int ldc) {
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || !alpha || !beta || !__emu_fits(of_a, m, n, lda) ||
        !__emu_fits(of_b, m, n, ldb) || !__emu_fits(CUBLAS_OP_N, m, n, ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    __emu_geam<<<__emu_matrix_grid(m, n), 256, 0, handle->stream>>>(
        of_a != CUBLAS_OP_N, of_b != CUBLAS_OP_N, m, n, *alpha, a, lda, *beta, b, ldb, c, ldc);
    return __emu_launched();
}
