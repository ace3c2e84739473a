// Make the objects of a class usable in kernels, by reference. Objects that are created
// with new already lie in managed memory, through a base class. Their values do not:
// the starter takes them from the heap of the CPU, and a copy shares them. Write the
// constructor, the copy constructor and the destructor.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

// [base]
/// Makes new put the objects of a derived class into managed memory.
struct managed {
    static void* operator new(std::size_t bytes) {
        void* place = nullptr;
        lockstep::check(cudaMallocManaged(&place, bytes));
        return place;
    }
    static void operator delete(void* place) {
        lockstep::check(cudaDeviceSynchronize());  // a kernel may still use it
        lockstep::check(cudaFree(place));
    }
};
// [/base]

/// Numbers of a length that is known when the program runs.
class series : public managed {
public:
    // [task]
    /// Room for n values.
    explicit series(int n) : n_(n) {
        lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    }
    /// A copy with values of its own.
    series(const series& other) : series(other.n_) {
        std::copy(other.values_, other.values_ + n_, values_);
    }
    ~series() {
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaFree(values_));
    }
    //= given
    //| /// Room for n values.
    //| explicit series(int n) : n_(n) { values_ = new int[n]; }
    //| /// A copy with values of its own.
    //| series(const series& other) : n_(other.n_), values_(other.values_) {}
    //| ~series() { delete[] values_; }
    //= mutant shallow_copy
    //| explicit series(int n) : n_(n) {
    //|     lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    //| }
    //| series(const series& other) : n_(other.n_), values_(other.values_) {}
    //| ~series() {
    //|     lockstep::check(cudaDeviceSynchronize());
    //|     lockstep::check(cudaFree(values_));
    //| }
    //= mutant copy_on_the_heap
    //| explicit series(int n) : n_(n) {
    //|     lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    //| }
    //| series(const series& other) : n_(other.n_), values_(new int[other.n_]) {
    //|     std::copy(other.values_, other.values_ + n_, values_);
    //| }
    //| ~series() {}
    //= mutant copies_a_quarter
    //| explicit series(int n) : n_(n) {
    //|     lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    //|     std::fill(values_, values_ + n, 0);
    //| }
    //| series(const series& other) : series(other.n_) {
    //|     std::copy(other.values_, other.values_ + n_ / sizeof(int), values_);
    //| }
    //| ~series() {
    //|     lockstep::check(cudaDeviceSynchronize());
    //|     lockstep::check(cudaFree(values_));
    //| }
    //= mutant nothing_is_freed
    //| explicit series(int n) : n_(n) {
    //|     lockstep::check(cudaMallocManaged(&values_, n * sizeof(int)));
    //| }
    //| series(const series& other) : series(other.n_) {
    //|     std::copy(other.values_, other.values_ + n_, values_);
    //| }
    //| ~series() {}
    // [/task]
    series& operator=(const series&) = delete;

    __host__ __device__ int size() const { return n_; }
    __host__ __device__ int& operator[](int i) { return values_[i]; }

private:
    int n_;
    int* values_;
};

// [kernel]
/// Negates the values of an object.
/// @param s  an object in managed memory
__global__ void negate(series& s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s.size()) s[i] = -s[i];
}
// [/kernel]

/// Whether a kernel can follow a pointer.
bool on_both_sides(const void* p) {
    cudaPointerAttributes kind{};
    lockstep::check(cudaPointerGetAttributes(&kind, p));
    return kind.type == cudaMemoryTypeManaged;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'003, 1, 1 << 24);
    options.finish();
    lockstep::require_device();
    const auto values = [n](series& s) { return std::vector<int>(&s[0], &s[0] + n); };
    std::vector<int> before(n), negated(n);

    auto* original = new series(n);
    for (int i = 0; i < n; ++i) {
        (*original)[i] = before[i] = i * 31 % 211 - 100;
        negated[i] = -before[i];
    }
    auto* copy = new series(*original);

    lockstep::exercise_verdict verdict;
    const bool reachable = on_both_sides(&(*original)[0]) && on_both_sides(&(*copy)[0]);
    const bool own = &(*copy)[0] != &(*original)[0];
    verdict.holds("original: GPU can reach it", on_both_sides(&(*original)[0]),
                  "its values lie where no kernel can go: see the constructor");
    verdict.holds("copy: GPU can reach it", on_both_sides(&(*copy)[0]),
                  "its values lie where no kernel can go: see the copy constructor");
    verdict.holds(
        "copy: values of its own", own,
        "original and copy have one array, which both destructors would free");
    if (!reachable || !own) return verdict.finish();
    verdict.equal("copy: values", values(*copy), before);

    negate<<<(n + 255) / 256, 256>>>(*copy);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    verdict.equal("copy: negated by the GPU", values(*copy), negated);
    verdict.equal("original: as before", values(*original), before);
    const int* freed = &(*copy)[0];
    delete copy;
    if (on_both_sides(freed))
        verdict.holds("copy: values freed with it", false,
                      "they are still allocated: see the destructor");
    negate<<<(n + 255) / 256, 256>>>(*original);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    verdict.equal("original: negated then", values(*original), negated);
    delete original;
    return verdict.finish();
}
