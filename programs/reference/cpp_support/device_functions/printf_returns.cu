// What does printf return in a kernel, and which conversions does it know? The number
// of its arguments, not of the characters, and -1 without a format. The host formats
// the text, with the flags, widths and sizes of C.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Prints a line for each group of conversions; one thread.
/// @param missing   a null pointer
/// @param returned  what some of the calls returned: 3 ints in device memory
__global__ void print_all(const char* missing, int* returned) {
    returned[0] = printf("no argument\n");
    returned[1] = printf("%s %d\n", "number", 42);
    returned[2] = printf(missing);
    printf("signed      [%d] [%5i] [%-5d] [%+d] [% d] [%05d]\n", 42, 42, 42, 42, 42,
           42);
    printf("unsigned    [%u] [%o] [%x] [%X] [%#x]\n", 42u, 42u, 42u, 42u, 42u);
    printf("sizes       [%hd] [%ld] [%lld]\n", 42, 42l, 1ll << 40);
    printf("float       [%f] [%e] [%g] [%a]\n", 1.5f, 1.5, 1.5, 1.5);
    printf("large       [%E] [%G] [%A]\n", 1e20, 1e20, 1.5);
    printf("width       [%8.3f] [%*d] [%.2s]\n", 3.14159, 6, 42, "cut");
    printf("characters  [%c] [%s] [%%]\n", 'c', "text");
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_returned(3);
    d_returned.fill_bytes(0x7F);
    print_all<<<1, 1>>>(nullptr, d_returned.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> returned = d_returned.to_host();
    lockstep::report("returned, no argument", returned[0]);
    lockstep::report("returned, two arguments", returned[1]);
    lockstep::report("returned, null format", returned[2]);
    const std::vector<int> expected = {0, 2, -1};
    return lockstep::count_mismatches(returned, expected) == 0 ? EXIT_SUCCESS
                                                               : EXIT_FAILURE;
}
