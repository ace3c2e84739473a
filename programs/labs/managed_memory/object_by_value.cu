// What happens to an object that is passed to a kernel by value? The launch makes a
// copy with the copy constructor and hands its bytes to the kernel. The copy's
// destructor runs when the launch returns, and the kernel may still be at work then.
// So the destructor must wait before it frees what the kernel uses.

#include <algorithm>
#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// How often something was done to objects.
struct history {
    int copied;
    int destroyed;
};

// [class]
/// Numbers in managed memory.
class series {
public:
    series(int n, history* past) : n_(n), past_(past) {
        lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    }
    series(const series& other) : series(other.n_, other.past_) {
        std::copy(other.values_, other.values_ + n_, values_);
        ++past_->copied;
    }
    ~series() {
        lockstep::check(cudaDeviceSynchronize());  // a kernel may still use the values
        lockstep::check(cudaFree(values_));
        ++past_->destroyed;
    }
    series& operator=(const series&) = delete;

    __host__ __device__ int size() const { return n_; }
    __host__ __device__ int& operator[](int i) { return values_[i]; }

private:
    int n_;
    int* values_;
    history* past_;  // of the CPU
};

/// Adds up the doubled values of a copy.
/// @param s    the copy
/// @param sum  their sum, added to
__global__ void add_doubled(series s, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.size()) return;
    s[i] *= 2;  // in the copy alone
    atomicAdd(sum, s[i]);
}
// [/class]

int main() {
    lockstep::require_device();
    constexpr int n = 1000;
    int* sum = nullptr;
    lockstep::check(cudaMallocManaged(&sum, sizeof *sum));
    *sum = 0;
    history past{};
    series numbers(n, &past);
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += 2 * (numbers[i] = i % 17);

    // [launch]
    add_doubled<<<(n + 255) / 256, 256>>>(numbers, sum);
    const history after_launch = past;
    // [/launch]
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    bool right = *sum == expected;
    for (int i = 0; i < n; ++i) right = right && numbers[i] == i % 17;
    lockstep::report("after the launch: copied", after_launch.copied);
    lockstep::report("after the launch: destroyed", after_launch.destroyed);
    lockstep::report("sum right, original kept", right);
    lockstep::check(cudaFree(sum));
    const bool balanced = after_launch.copied == after_launch.destroyed;
    return right && balanced ? EXIT_SUCCESS : EXIT_FAILURE;
}
