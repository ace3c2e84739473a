// Which headers of the C++ standard library work in a kernel? Those that libcu++ has
// under <cuda/std/...>: each line names one, an entity of it, and what a thread
// computed with it.

#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/ctime>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/inplace_vector>
#include <cuda/std/iterator>
#include <cuda/std/latch>
#include <cuda/std/limits>
#include <cuda/std/linalg>
#include <cuda/std/mdspan>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ranges>
#include <cuda/std/ratio>
#include <cuda/std/semaphore>
#include <cuda/std/source_location>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
#include <cuda/std/version>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int headers = 40;

namespace cs = cuda::std;

/// Uses an entity of each header; one thread.
/// @param said  one int for each header in device memory, written
__global__ void use_headers(int* said) {
    // [containers]
    const cs::array<int, 3> three = {1, 2, 3};
    *said++ = three[0] + three[1] + three[2];
    *said++ = static_cast<int>(cs::bitset<8>(5).count());
    const cs::initializer_list<int> list = {4, 5};
    *said++ = static_cast<int>(list.size());
    cs::inplace_vector<int, 4> few;  // never allocates
    few.push_back(6);
    *said++ = few.back();
    int six[6] = {0, 1, 2, 3, 4, 5};
    const cs::mdspan<int, cs::extents<int, 2, 3>> matrix(six);
    *said++ = matrix(1, 2);
    *said++ = cs::linalg::transposed(matrix)(2, 0);
    *said++ = static_cast<int>(cs::span<int>(six).size());
    // [/containers]
    // [values]
    *said++ = cs::expected<int, int>(cs::unexpected<int>(7)).error();
    *said++ = cs::optional<int>().value_or(8);
    *said++ = cs::get<1>(cs::make_tuple(0, 9));
    *said++ = cs::get<int>(cs::variant<float, int>(10));
    int old = 11;
    *said++ = cs::exchange(old, 0);
    *said++ = cs::plus<int>()(5, 7);
    *said++ = static_cast<int>(cs::norm(cs::complex<float>(3, 4)));
    // [/values]
    // [algorithms]
    *said++ = cs::accumulate(six, six + 6, 0);
    *said++ = *cs::next(six, 3);
    *said++ = static_cast<int>(cs::ranges::end(six) - cs::ranges::begin(six));
    *said++ = *cs::addressof(six[5]);
    *said++ = cs::popcount(255u);
    *said++ = static_cast<int>(cs::sqrt(81.0f));
    *said++ = static_cast<int>(1000 * cs::numbers::pi);
    *said++ = static_cast<int>(cs::div(17, 5).rem);
    int copied = 0;
    cs::memcpy(&copied, &six[4], sizeof copied);
    *said++ = copied;
    // [/algorithms]
    // [types]
    *said++ = cs::numeric_limits<int>::digits;
    *said++ = FLT_DIG;
    *said++ = CHAR_BIT;
    *said++ = cs::to_integer<int>(cs::byte{27});
    *said++ = static_cast<int>(sizeof(cs::int64_t));
    *said++ = cs::integral<int>;
    *said++ = cs::is_same_v<int, cs::remove_const_t<const int>>;
    *said++ = static_cast<int>(cs::milli::den);
    *said++ = cs::source_location::current().line() > 0;
    *said++ = CCCL_MAJOR_VERSION;
    assert(*(said - 1) >= 3);
    *said++ = 1;
    // [/types]
    // [time]
    const cs::chrono::milliseconds two = cs::chrono::seconds(2);
    *said++ = static_cast<int>(two.count());
    *said++ = static_cast<int>(sizeof(cs::time_t));
    // [/time]
    // [threads]
    cs::atomic<int> counter(38);  // of system scope, like all of cuda::std
    *said++ = counter.fetch_add(1);
    alignas(cs::barrier<>) __shared__ unsigned char room[sizeof(cs::barrier<>)];
    auto* barrier = new (room) cs::barrier<>(1);
    barrier->arrive_and_wait();
    *said++ = 1;
    cs::latch latch(1);
    latch.count_down();
    *said++ = latch.try_wait();
    cs::counting_semaphore<2> places(2);
    places.acquire();
    *said++ = places.try_acquire();
    // [/threads]
}

int main() {
    lockstep::require_device();

    const struct {
        const char* header;
        const char* entity;
        int expected;
    } rows[headers] = {{"array", "array", 6},
                       {"bitset", "bitset::count", 2},
                       {"initializer_list", "initializer_list::size", 2},
                       {"inplace_vector", "inplace_vector::back", 6},
                       {"mdspan", "mdspan, extents", 5},
                       {"linalg", "linalg::transposed", 2},
                       {"span", "span::size", 6},
                       {"expected", "expected::error", 7},
                       {"optional", "optional::value_or", 8},
                       {"tuple", "make_tuple, get", 9},
                       {"variant", "variant, get", 10},
                       {"utility", "exchange", 11},
                       {"functional", "plus", 12},
                       {"complex", "complex, norm", 25},
                       {"numeric", "accumulate", 15},
                       {"iterator", "next", 3},
                       {"ranges", "ranges::begin, end", 6},
                       {"memory", "addressof", 5},
                       {"bit", "popcount", 8},
                       {"cmath", "sqrt", 9},
                       {"numbers", "1000 * numbers::pi", 3141},
                       {"cstdlib", "div", 2},
                       {"cstring", "memcpy", 4},
                       {"limits", "numeric_limits::digits", 31},
                       {"cfloat", "FLT_DIG", 6},
                       {"climits", "CHAR_BIT", 8},
                       {"cstddef", "byte, to_integer", 27},
                       {"cstdint", "sizeof(int64_t)", 8},
                       {"concepts", "integral", 1},
                       {"type_traits", "is_same_v", 1},
                       {"ratio", "milli::den", 1000},
                       {"source_location", "source_location::line", 1},
                       {"version", "CCCL_MAJOR_VERSION", 3},
                       {"cassert", "assert", 1},
                       {"chrono", "chrono::milliseconds", 2000},
                       {"ctime", "sizeof(time_t)", 8},
                       {"atomic", "atomic::fetch_add", 38},
                       {"barrier", "barrier::arrive_and_wait", 1},
                       {"latch", "latch::try_wait", 1},
                       {"semaphore", "counting_semaphore", 1}};
    lockstep::device_buffer<int> d_said(headers);
    d_said.fill_bytes(0xFF);
    use_headers<<<1, 1>>>(d_said.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> said = d_said.to_host();

    bool right = true;
    std::printf("%-20s%-28s%s\n", "<cuda/std/...>", "cuda::std::...", "value");
    for (int i = 0; i < headers; ++i) {
        std::printf("%-20s%-28s%d\n", rows[i].header, rows[i].entity, said[i]);
        right = right && said[i] == rows[i].expected;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
