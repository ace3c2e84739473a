#pragma once
/// @file
/// Products of float matrices by cuBLAS: what rungs are checked against and compared
/// with.

#include <cublas_v2.h>

#include <lockstep/cublas.hpp>

namespace lockstep {

/// Products of float matrices by cublasSgemm, without TF32: every product and sum is
/// rounded as a float.
class vendor_sgemm {
public:
    vendor_sgemm() { check(cublasCreate(&handle_)); }
    ~vendor_sgemm() { cublasDestroy(handle_); }
    vendor_sgemm(const vendor_sgemm&) = delete;
    vendor_sgemm& operator=(const vendor_sgemm&) = delete;

    /// Enqueues c = a * b in the default stream; all matrices row by row in device
    /// memory.
    /// @param m  rows of a and c
    /// @param n  columns of b and c
    /// @param k  columns of a, rows of b
    /// @param a  m x k floats
    /// @param b  k x n floats
    /// @param c  m x n floats, written
    void operator()(int m, int n, int k, const float* a, const float* b,
                    float* c) const {
        const float one = 1;
        // cuBLAS counts by columns: it sees the transposes, and c^T = b^T * a^T
        const float zero = 0;
        check(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k,
                          &zero, c, n));
    }

    /// The same in double precision, for a reference.
    void operator()(int m, int n, int k, const double* a, const double* b,
                    double* c) const {
        const double one = 1;
        const double zero = 0;
        check(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k,
                          &zero, c, n));
    }

    /// Enqueues c = a * b^T in double precision: both are used along their rows.
    /// @param m  rows of a and c
    /// @param n  rows of b, columns of c
    /// @param k  columns of a and b
    /// @param a  m x k doubles
    /// @param b  n x k doubles
    /// @param c  m x n doubles, written
    void by_rows_of_both(int m, int n, int k, const double* a, const double* b,
                         double* c) const {
        const double one = 1;
        const double zero = 0;
        check(cublasDgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, b, k, a, k,
                          &zero, c, n));
    }

private:
    cublasHandle_t handle_ = nullptr;
};

}  // namespace lockstep
