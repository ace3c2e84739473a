// Does a copy to shared memory leave the data in the L1 cache, too? With 4 bytes it
// does, and with 16 the usual form of the instruction bypasses it. A plain load of a
// neighboring word in the same sector, made after the copy, tells: it is short if the
// sector is in L1.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

enum first_access { none, copy_4, copy_16_ca, copy_16_cg, plain_load };

// [kernel]
/// Touches the first words of a sector, then times a load of its sixth word.
/// @tparam first  how the first words are touched
/// @param x       eight words in device memory, aligned to 32 bytes
/// @param found   two words in device memory, written
/// @param cycles  clock cycles of the load in device memory, written
template <first_access first>
__global__ void load_after(const unsigned* x, unsigned* found, long long* cycles) {
    __shared__ alignas(16) unsigned words[4];
    __shared__ unsigned seen;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(words));
    words[0] = 0;
    if (first == copy_4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x)
                     : "memory");
    if (first == copy_16_ca)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x)
                     : "memory");
    if (first == copy_16_cg)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x)
                     : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (first == plain_load) words[0] = x[0];
    found[0] = words[0];  // the first access is complete
    __threadfence_block();
    const long long begin = clock64();
    unsigned word = 0;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(x + 5) : "memory");
    seen = word;  // the store waits for the load
    asm volatile("" ::: "memory");
    *cycles = clock64() - begin;
    found[1] = seen;
}
// [/kernel]

int main() {
    lockstep::require_device(80);

    const std::vector<unsigned> x = {10, 11, 12, 13, 14, 15, 16, 17};
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_found(2);
    lockstep::device_buffer<long long> d_cycles(1);
    bool right = true;
    const auto show = [&](const char* name, auto kernel, unsigned copied) {
        std::vector<long long> samples;
        for (int run = 0; run < 22; ++run) {
            d_found.fill_bytes(0xFF);
            kernel<<<1, 1>>>(d_x.data(), d_found.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            right = right && d_found.to_host() == std::vector<unsigned>{copied, 15};
            if (run > 0) samples.push_back(d_cycles.to_host()[0]);
        }
        std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
        lockstep::report(name, lockstep::measured{double(samples[10])}, "cycles");
    };
    show("load, nothing before it", load_after<none>, 0);
    show("after a plain load", load_after<plain_load>, 10);
    show("after cp.async.ca, 4 bytes", load_after<copy_4>, 10);
    show("after cp.async.ca, 16 bytes", load_after<copy_16_ca>, 10);
    show("after cp.async.cg, 16 bytes", load_after<copy_16_cg>, 10);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
