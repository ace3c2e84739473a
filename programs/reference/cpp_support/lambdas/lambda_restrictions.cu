// Which extended lambdas does nvcc refuse? The command line names a group of mistakes,
// and the compiler has a message for each. In some groups it is the host compiler's,
// about code that nvcc wrote, and in the last there is none.

#include <initializer_list>  // unused; goes with the next recording

/// Calls f in each thread.
/// @param f  takes nothing
template <class Function>
__global__ void call(Function f) {
    f();
}

#if defined ENCLOSING
// [enclosing]
void in_another() {
    const auto outer = [] __host__ __device__ { [] __host__ __device__ {}(); };
    outer();
}
void in_generic() {
    const auto outer = [](auto x) { call<<<1, 1>>>([x] __device__ {}); };
    outer(1);
}
auto outside = [] { call<<<1, 1>>>([] __device__ {}); };  // in no function
struct built {
    built() {
        call<<<1, 1>>>([] __device__ {});
    }  // a constructor has no address
};
class closed {
    void hidden() {
        call<<<1, 1>>>([] __device__ {});
    }
};
void with_local_class() {
    struct local {
        void member() {
            call<<<1, 1>>>([] __device__ {});
        }
    };
}
void generic() {
    [] __host__ __device__(auto x) { return x; }(1);
}
auto deduced() {
    return call<<<1, 1>>>([] __device__ {});
}
// [/enclosing]
#elif defined CAPTURES
// [captures]
void by_reference(int x) {
    call<<<1, 1>>>([&x] __device__ { x = 2; });
}
void eight_dimensions() {
    int x[1][1][1][1][1][1][1][1] = {};
    call<<<1, 1>>>([x] __device__ { static_cast<void>(x[0]); });
}
template <class... T>
void of_a_pack(T... x) {
    call<<<1, 1>>>([x...] __device__ {});
}
void initialized() {
    [x = 1] __host__ __device__ { return x; }();
}
void list() {
    call<<<1, 1>>>([x = {1, 2}] __device__ { x.begin(); });
}
void of_local_type() {
    struct local {
    } x;
    call<<<1, 1>>>([x] __device__ { static_cast<void>(x); });
}
template <bool known>
void first_used_in_if_constexpr(int x) {
    call<<<1, 1>>>([=] __device__ {
        if constexpr (known) static_cast<void>(x + 1);
    });
}
void constant() {
    call<<<1, 1>>>([] __device__() constexpr {});
}
// [/captures]
#elif defined TEMPLATES
// [templates]
template <class T>
void any(T) {
    call<<<1, 1>>>([] __device__ {});
}
void with_local_type() {
    struct local {};
    any(local());
}
class closed {
    struct hidden {};
    void member() { any(hidden()); }
};
auto not_extended = [] {};  // at namespace scope
void passes_it() { call<<<1, 1>>>(not_extended); }
// [/templates]
#elif defined UNNAMED
// [unnamed]
template <class, class T>
void first_has_no_name(T x) {
    call<<<1, 1>>>([x] __device__ {});
}
void calls_it() { first_has_no_name<int>(1); }
// [/unnamed]
#elif defined POINTER
// [pointer]
void as_a_pointer() {
    int (*pointer)(int) = [] __device__(int x) { return x; };
    static_cast<void>(pointer);
}
// [/pointer]
#elif defined ASKED
// [asked]
void asks_for_the_result() {
    const auto twice = [] __device__(int x) { return 2 * x; };
    using result = decltype(twice(1));
}
// [/asked]
#elif defined DIFFERS
// [differs]
void captures_for_one_side(int x) {
    call<<<1, 1>>>([=] __device__ {
#ifdef __CUDA_ARCH__
        static_cast<void>(x + 1);  // the host's compilation captures nothing
#endif
    });
}
// [/differs]
#elif defined NUMBER
// [number]
void has_one_for_one_side() {
#ifdef __CUDA_ARCH__
    call<<<1, 1>>>([] __device__ {});
#endif
    call<<<1, 1>>>([] __device__ {});
}
// [/number]
#endif

int main() {}
