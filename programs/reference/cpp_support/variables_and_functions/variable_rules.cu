// Which variables, kernels and expressions does nvcc refuse? The command line names a
// group, and the compiler has a message for most mistakes of the group, in their order.
// The last group compiles, with warnings or without, and is wrong.

#include <initializer_list>
#include <typeinfo>

#if defined VARIABLES
// [variables]
void on_the_host() {
    __device__ int global;
    __shared__ int of_a_block;
}
__device__ void on_the_device() {
    __device__ int no_message;
    __shared__ int initialized = 1;
    static __device__ int allowed;
}
__managed__ int& reference = *new int;
__managed__ const int constant = 1;
// [/variables]
#elif defined INITIAL
// [initial]
__device__ int make() { return 1; }
__device__ int initialized_by_a_call() {
    static int first = make();
    return first;
}
__device__ thread_local int of_a_thread;
// [/initial]
#elif defined CONSTANTS
// [constants]
constexpr int known = 1;
const float known_too = 2;
const int read_later = *new int;
constexpr int table[] = {1, 2, 3};
struct point {
    int x;
};
constexpr point origin{0};
int variable;

__global__ void allowed(int* x) {
    x[0] = known;
    x[1] = static_cast<int>(known_too);
    x[2] = origin.x;
}
__global__ void address(const int** x) { *x = &known; }
__global__ void not_known(int* x) { *x = read_later; }
__global__ void element(int* x) { *x = table[1]; }
__global__ void not_constant(int* x) { *x = variable; }
// [/constants]
#elif defined SIGNATURES
// [signatures]
__global__ int with_result() { return 1; }
__global__ auto with_deduced_result() {}
__global__ void with_ellipsis(int, ...) {}
__global__ void recursive(int n) {
    if (n > 0) recursive(n - 1);
}
template <class... Rest, class Last>
__global__ void pack_first(Last) {}
// [/signatures]
#elif defined PARAMETERS
// [parameters]
__global__ void list(std::initializer_list<int>) {}
__global__ void rvalue_reference(int&&) {}
// [/parameters]
#elif defined EXPRESSIONS
// [expressions]
struct base {
    virtual ~base();
};
struct derived : base {};
__device__ bool type_at_run_time(base& x) { return typeid(x) == typeid(derived); }
__device__ derived* cast_at_run_time(base* x) { return dynamic_cast<derived*>(x); }
__device__ void throws() { throw 1; }
__device__ void catches() {
    try {
    } catch (...) {
    }
}
// [/expressions]
#elif defined WRONG
// [wrong]
__device__ int on_the_gpu;
extern __device__ int elsewhere;
__device__ void function() {}

int reads_it() { return on_the_gpu; }
const int* takes_its_address() { return &on_the_gpu; }
__device__ int reads_the_other() { return elsewhere; }
__device__ long double widest(long double x) { return 2 * x; }
void (*takes_a_function())() { return function; }
__global__ void reference(int& x) { x = 1; }
// [/wrong]
#endif

int main() {}
