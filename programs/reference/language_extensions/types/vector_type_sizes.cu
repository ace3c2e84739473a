// How large are the vector types, and how are they aligned? Each has the size of its
// elements. A type with one, two or four elements is aligned to its size, but to 16
// bytes at most; a type with three, like one element. Types whose name ends in _32a are
// aligned to 32 bytes. Host and device agree.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// What the compiler says of a type.
struct facts {
    int bytes;  ///< sizeof
    int alignment;  ///< alignof
};

// [measure]
/// Asks the compiler of device code.
/// @param answers  one entry for each type in device memory
template <class... Types>
__global__ void measure(facts* answers) {
    const facts found[] = {{sizeof(Types), alignof(Types)}...};
    for (std::size_t i = 0; i < sizeof...(Types); ++i) answers[i] = found[i];
}
// [/measure]

/// Prints a line of the table, and compares host and device with what is expected.
/// @param name      of the types
/// @param expected  for each type
/// @return whether all agree
template <class... Types>
bool row(const char* name, const std::vector<facts>& expected) {
    const facts host[] = {{sizeof(Types), alignof(Types)}...};
    lockstep::device_buffer<facts> d_answers(sizeof...(Types));
    d_answers.fill_bytes(0);
    measure<Types...><<<1, 1>>>(d_answers.data());
    lockstep::check(cudaGetLastError());
    const std::vector<facts> device = d_answers.to_host();

    bool right = true;
    std::printf("%-12s", name);
    for (std::size_t i = 0; i < sizeof...(Types); ++i) {
        for (const facts& found : {host[i], device[i]})
            right = right && found.bytes == expected[i].bytes &&
                    found.alignment == expected[i].alignment;
        std::printf("  %4d, %2d", device[i].bytes, device[i].alignment);
    }
    std::printf("\n");
    return right;
}

// [rule]
/// The types with one to four elements.
/// @param name   without the number of elements
/// @param bytes  of an element, which is aligned to its size
template <class T1, class T2, class T3, class T4>
bool four(const char* name, int bytes) {
    std::vector<facts> expected;
    for (const int elements : {1, 2, 3, 4}) {
        const int all = elements * bytes;
        const int alignment = elements == 3 ? bytes : all < 16 ? all : 16;
        expected.push_back({all, alignment});
    }
    return row<T1, T2, T3, T4>(name, expected);
}
// [/rule]

/// The two types with four elements whose name says the alignment.
/// @param name   without the alignment
/// @param bytes  of an element
template <class A16, class A32>
bool two(const char* name, int bytes) {
    return row<A16, A32>(name, {{4 * bytes, 16}, {4 * bytes, 32}});
}

int main() {
    lockstep::require_device();
    std::printf("bytes, alignment    x1        x2        x3        x4\n");
    // [table]
    const bool each[] = {
        four<char1, char2, char3, char4>("char", 1),
        four<uchar1, uchar2, uchar3, uchar4>("uchar", 1),
        four<short1, short2, short3, short4>("short", 2),
        four<ushort1, ushort2, ushort3, ushort4>("ushort", 2),
        four<int1, int2, int3, int4>("int", 4),
        four<uint1, uint2, uint3, uint4>("uint", 4),
        four<long1, long2, long3, long4>("long", sizeof(long)),
        four<ulong1, ulong2, ulong3, ulong4>("ulong", sizeof(long)),
        four<longlong1, longlong2, longlong3, longlong4>("longlong", 8),
        four<ulonglong1, ulonglong2, ulonglong3, ulonglong4>("ulonglong", 8),
        four<float1, float2, float3, float4>("float", 4),
        four<double1, double2, double3, double4>("double", 8),
    };
    // [/table]
    std::printf("bytes, alignment  _16a      _32a\n");
    // [aligned]
    const bool aligned[] = {
        two<long4_16a, long4_32a>("long4", sizeof(long)),
        two<ulong4_16a, ulong4_32a>("ulong4", sizeof(long)),
        two<longlong4_16a, longlong4_32a>("longlong4", 8),
        two<ulonglong4_16a, ulonglong4_32a>("ulonglong4", 8),
        two<double4_16a, double4_32a>("double4", 8),
    };
    // [/aligned]
    bool right = true;
    for (const bool one : each) right = right && one;
    for (const bool one : aligned) right = right && one;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
