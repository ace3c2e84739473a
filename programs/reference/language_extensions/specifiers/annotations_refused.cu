// Which annotations does nvcc refuse? Choose a mistake with -D. All are refused but the
// last: two requests that contradict each other, of which the compiler says nothing.

#ifdef MEMBER_KERNEL
struct solver {
    __global__ void step() {}
};
#endif

#ifdef KERNEL_CALLS_ITSELF
/// Calls itself.
/// @param n  a number
__global__ void countdown(int n) {
    if (n > 0) countdown(n - 1);
}
#endif

#ifdef SHARED_INITIALIZER
__global__ void tile() { __shared__ int first = 3; }
#endif

#ifdef CONSTANT_WRITTEN
__constant__ int step;
__global__ void change() { step = 3; }
#endif

#ifdef MANAGED_CONST
__managed__ const int limit = 3;
#endif

#ifdef MANAGED_REFERENCE
int on_the_host;
__managed__ int& alias = on_the_host;
#endif

#ifdef MANAGED_ADDRESS
__managed__ int counter;
template <int* address>
struct holder {};
holder<&counter> a_constant_address;
#endif

#ifdef MANAGED_DECLTYPE
__managed__ int counter;
decltype(counter) another = 3;
#endif

#ifdef GRID_CONSTANT_NOT_CONST
/// Lacks const.
/// @param factor  a number
__global__ void scale(__grid_constant__ int factor) {}
#endif

#ifdef GRID_CONSTANT_REFERENCE
struct table;
/// Takes a reference.
/// @param t  a table
__global__ void look_up(const __grid_constant__ table& t) {}
#endif

#ifdef GRID_CONSTANT_WRITTEN
/// Writes what is constant.
/// @param factor  a number
__global__ void scale(const __grid_constant__ int factor) { factor = 3; }
#endif

#ifdef GRID_CONSTANT_REDECLARED
/// Is declared without the annotation.
/// @param factor  a number
__global__ void scale(const int factor);
/// Has it.
/// @param factor  a number
__global__ void scale(const __grid_constant__ int factor) {}
#endif

#ifdef NOINLINE_AND_HINT
__device__ __noinline__ __inline_hint__ int square(int x) { return x * x; }
#endif

#ifdef FORCEINLINE_AND_HINT
__device__ __forceinline__ __inline_hint__ int square(int x) { return x * x; }
#endif

#ifdef NOINLINE_AND_FORCEINLINE
__device__ __noinline__ __forceinline__ int square(int x) { return x * x; }
#endif
