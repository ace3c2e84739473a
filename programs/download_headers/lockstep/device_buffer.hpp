#pragma once
/// @file
/// Short form of the array in device memory, for downloads.

#include <cstddef>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Owns an array of `T` in the current device's memory.
template <class T>
class device_buffer {
public:
    explicit device_buffer(size_t n, const char* file = __builtin_FILE(),
                           int line = __builtin_LINE())
        : n_(n) {
        check(cudaMalloc(&data_, bytes()), file, line);
    }
    explicit device_buffer(const std::vector<T>& host,
                           const char* file = __builtin_FILE(),
                           int line = __builtin_LINE())
        : device_buffer(host.size(), file, line) {
        check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), file,
              line);
    }
    device_buffer(device_buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), n_(other.n_) {}
    device_buffer& operator=(device_buffer&&) = delete;
    ~device_buffer() { cudaFree(data_); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    size_t size() const { return n_; }
    size_t bytes() const { return n_ * sizeof(T); }
    void fill_bytes(int byte, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
        check(cudaMemset(data_, byte, bytes()), file, line);
    }
    std::vector<T> to_host(const char* file = __builtin_FILE(),
                           int line = __builtin_LINE()) const {
        std::vector<T> host(n_);
        check(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost), file,
              line);
        return host;
    }

private:
    T* data_ = nullptr;
    size_t n_ = 0;
};

}  // namespace lockstep
