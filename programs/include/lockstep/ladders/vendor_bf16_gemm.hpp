#pragma once
/// @file
/// Products of bfloat16 matrices by cublasLt: what rungs are compared with.

#include <cstddef>
#include <vector>

#include <cublasLt.h>
#include <cuda_bf16.h>

#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/timer.hpp>

namespace lockstep {

/// Products of bfloat16 matrices by cublasLt, with float sums. For each shape the
/// fastest of the eight algorithms that cublasLt suggests is found by trying them.
class vendor_bf16_gemm {
public:
    /// Prepares c = a * b^T and tries the algorithms.
    /// @param m  rows of a and c
    /// @param n  rows of b, columns of c
    /// @param k  columns of a and b
    /// @param a  m x k numbers, row by row, in device memory
    /// @param b  n x k numbers, row by row, in device memory
    /// @param c  m x n numbers, row by row, in device memory, written
    vendor_bf16_gemm(int m, int n, int k, const __nv_bfloat16* a,
                     const __nv_bfloat16* b, __nv_bfloat16* c)
        : a_(a), b_(b), c_(c), workspace_(workspace_bytes) {
        check(cublasLtCreate(&handle_));
        check(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        // cuBLAS counts by columns: c^T = b * a^T
        const cublasOperation_t transposed = CUBLAS_OP_T;
        check(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA,
                                             &transposed, sizeof transposed));
        check(cublasLtMatrixLayoutCreate(&layout_b_, CUDA_R_16BF, k, n, k));
        check(cublasLtMatrixLayoutCreate(&layout_a_, CUDA_R_16BF, k, m, k));
        check(cublasLtMatrixLayoutCreate(&layout_c_, CUDA_R_16BF, n, m, n));
        cublasLtMatmulPreference_t preference = nullptr;
        check(cublasLtMatmulPreferenceCreate(&preference));
        const std::size_t bytes = workspace_bytes;
        check(cublasLtMatmulPreferenceSetAttribute(
            preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
            sizeof bytes));
        std::vector<cublasLtMatmulHeuristicResult_t> suggested(8);
        int found = 0;
        check(cublasLtMatmulAlgoGetHeuristic(
            handle_, product_, layout_b_, layout_a_, layout_c_, layout_c_, preference,
            static_cast<int>(suggested.size()), suggested.data(), &found));
        check(cublasLtMatmulPreferenceDestroy(preference));
        double best = 0;
        for (int i = 0; i < found; ++i) {
            const cublasLtMatmulAlgo_t algorithm = suggested[i].algo;
            if (run(algorithm) != CUBLAS_STATUS_SUCCESS) continue;
            const double ms =
                time_on_device([&] { check(run(algorithm)); }, 5).median_ms;
            if (best == 0 || ms < best) {
                best = ms;
                algorithm_ = algorithm;
            }
        }
        if (best == 0) check(CUBLAS_STATUS_NOT_SUPPORTED);
    }
    ~vendor_bf16_gemm() {
        cublasLtMatrixLayoutDestroy(layout_a_);
        cublasLtMatrixLayoutDestroy(layout_b_);
        cublasLtMatrixLayoutDestroy(layout_c_);
        cublasLtMatmulDescDestroy(product_);
        cublasLtDestroy(handle_);
    }
    vendor_bf16_gemm(const vendor_bf16_gemm&) = delete;
    vendor_bf16_gemm& operator=(const vendor_bf16_gemm&) = delete;

    /// Enqueues the product in the default stream.
    void operator()() { check(run(algorithm_)); }

private:
    static constexpr std::size_t workspace_bytes = 32 << 20;

    cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm) {
        const float one = 1;
        const float zero = 0;
        return cublasLtMatmul(handle_, product_, &one, b_, layout_b_, a_, layout_a_,
                              &zero, c_, layout_c_, c_, layout_c_, &algorithm,
                              workspace_.data(), workspace_bytes, nullptr);
    }

    const __nv_bfloat16* a_;
    const __nv_bfloat16* b_;
    __nv_bfloat16* c_;
    device_buffer<char> workspace_;
    cublasLtHandle_t handle_ = nullptr;
    cublasLtMatmulDesc_t product_ = nullptr;
    cublasLtMatrixLayout_t layout_a_ = nullptr;
    cublasLtMatrixLayout_t layout_b_ = nullptr;
    cublasLtMatrixLayout_t layout_c_ = nullptr;
    cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace lockstep
