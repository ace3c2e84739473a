#pragma once
/// @file
/// An array in device memory that frees itself.

#include <cstddef>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Owns an array in the current device's memory. Moves, never copies. Failed calls end
/// the program; `file` and `line` name the caller, leave them out.
/// @tparam T  element type, trivially copyable
template <class T>
class device_buffer {
public:
    /// Allocates `count` elements, uninitialized.
    explicit device_buffer(std::size_t count, const char* file = __builtin_FILE(),
                           int line = __builtin_LINE())
        : n_(count) {
        check(cudaMalloc(&data_, bytes()), file, line);
    }
    /// Allocates room for `host` and copies it to the device.
    explicit device_buffer(const std::vector<T>& host,
                           const char* file = __builtin_FILE(),
                           int line = __builtin_LINE())
        : device_buffer(host.size(), file, line) {
        check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), file,
              line);
    }
    /// Takes the array over; `other` is left empty.
    device_buffer(device_buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), n_(std::exchange(other.n_, 0)) {}
    device_buffer& operator=(device_buffer&&) = delete;  // and so no copy
    ~device_buffer() { cudaFree(data_); }

    /// Device address of the first element.
    T* data() { return data_; }
    /// The same of a constant array.
    const T* data() const { return data_; }
    /// Number of elements.
    std::size_t size() const { return n_; }
    /// Size in bytes.
    std::size_t bytes() const { return n_ * sizeof(T); }

    /// Sets every byte; 0xFF makes every float a NaN, which poisons an output before a
    /// kernel fills it.
    void fill_bytes(int byte, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
        check(cudaMemset(data_, byte, bytes()), file, line);
    }
    /// Copies the array to the host, after all earlier work of the default stream.
    std::vector<T> to_host(const char* file = __builtin_FILE(),
                           int line = __builtin_LINE()) const {
        std::vector<T> host(n_);
        check(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost), file,
              line);
        return host;
    }

private:
    T* data_ = nullptr;
    std::size_t n_ = 0;
};

}  // namespace lockstep
