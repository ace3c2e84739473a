// Which classes and members does nvcc refuse? The command line names a group of
// mistakes, and the compiler has a message for each mistake of the group, not always in
// the order of the code.

#if defined MEMBERS
// [members]
struct has_kernel {
    __global__ void member(int* x);
    friend __global__ void defined_here(int* x) { *x = 1; }
    friend __global__ void declared_here(int* x);  // allowed
};
struct has_space {
    __device__ int data;
    static __device__ int shared_by_all;
    static constexpr int known = 2;  // allowed
};
struct on_device {
    __device__ virtual int f() { return 1; }
};
struct on_host : on_device {
    int f() override { return 2; }
};
// [/members]
#elif defined OBJECTS
// [objects]
/// Has a constructor that does something.
struct constructed {
    __device__ constructed() : value(1) {}
    int value;
};
/// Has a constructor that the compiler can evaluate.
struct constant {
    constexpr constant() : value(1) {}
    int value;
};
/// Has an empty constructor, and destructor.
struct empty {
    __device__ empty() {}
    int value;
};
/// Has a destructor that does something.
struct destroyed {
    __device__ ~destroyed() { value = 0; }
    int value;
};
__device__ constant allowed;
__device__ empty allowed_too;
__device__ constructed refused;
__device__ destroyed refused_too;
__constant__ constructed refused_here;
// [/objects]
#elif defined SPACES
// [spaces]
/// May be constructed on the host alone, as its base.
struct base {
    base() : value(host_only()) {}
    static int host_only() { return 1; }
    int value;
};
struct derived : base {};  // the compiler writes derived()
__global__ void makes_one(int* x) { *x = derived().value; }

/// The specifier stands where the compiler ignores it, and where it does not.
struct defaulted {
    __host__ defaulted() = default;
};
struct defaulted_outside {
    __host__ defaulted_outside();
};
__host__ defaulted_outside::defaulted_outside() = default;
__global__ void makes_two() {
    defaulted();
    defaulted_outside();
}
// [/spaces]
#endif

int main() {}
