// Which templates, namespaces and constants does nvcc refuse? The command line names a
// group, and the compiler has a message for each mistake of the group, in their order.
// The traps of -expt-relaxed-constexpr compile without one.

#if defined ARGUMENTS
// [arguments]
template <class T>
__global__ void kernel() {}

void with_local_type() {
    struct local {};
    kernel<local><<<1, 1>>>();
}
class closed {
    struct hidden {};
    void member() { kernel<hidden><<<1, 1>>>(); }
};
void with_unnamed_type() {
    enum { none } x;
    kernel<decltype(x)><<<1, 1>>>();
}
// [/arguments]
#elif defined PACKS
// [packs]
template <class... Rest, class Last>
__global__ void pack_first(Last) {}

template <class... First, class... Second>
__global__ void two_packs(First..., Second...) {}
// [/packs]
#elif defined DEDUCED
// [deduced]
__device__ auto deduced() { return 1; }
__host__ __device__ auto deduced_for_both() { return 1; }

void asks_for_the_type() {
    using of_both = decltype(deduced_for_both());
    using of_device = decltype(deduced());
}
// [/deduced]
#elif defined DECLARATIONS
// [declarations]
struct pair_of {
    int first;
    int second;
};
__device__ auto [first, second] = pair_of{1, 2};

inline __device__ int counter;
static inline __device__ int allowed;  // internal linkage

inline namespace {
__device__ int of_this_file;
}
// [/declarations]
#elif defined COMPARISON
// [comparison]
#include <compare>
struct ordered {
    int x;
    auto operator<=>(const ordered&) const = default;
};
__global__ void compare(ordered a, ordered b, bool* less) { *less = a < b; }
// [/comparison]
#elif defined TRAPS
// [traps]
int of_the_host();
int variable;
constexpr int calls(bool rare) { return rare ? of_the_host() : 1; }
constexpr int reads(bool rare) { return rare ? variable : 1; }
__global__ void kernel(bool rare, int* x) { *x = calls(rare) + reads(rare); }
// [/traps]
#elif defined INLINE
// [inline]
inline namespace version_1 {
__global__ void kernel() {}
}  // namespace version_1
__global__ void kernel() {}
// [/inline]
#endif

int main() {}
