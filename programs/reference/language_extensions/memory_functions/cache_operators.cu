// Which PTX instruction does each load and store function become? All of them move the
// same data: an operator is a hint to the caches. One kernel for each function copies a
// word, and nvcc shows the instruction.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Declares a kernel that copies one word for each thread through a function.
#define LOADS_WITH(function)                                  \
    __global__ void by_##function(const int* from, int* to) { \
        to[threadIdx.x] = __##function(&from[threadIdx.x]);   \
    }
#define STORES_WITH(function)                                 \
    __global__ void by_##function(const int* from, int* to) { \
        __##function(&to[threadIdx.x], from[threadIdx.x]);    \
    }
LOADS_WITH(ldg)
LOADS_WITH(ldca)
LOADS_WITH(ldcg)
LOADS_WITH(ldcs)
LOADS_WITH(ldlu)
LOADS_WITH(ldcv)
STORES_WITH(stwb)
STORES_WITH(stcg)
STORES_WITH(stcs)
STORES_WITH(stwt)
// [/kernels]

int main() {
    lockstep::require_device();

    std::vector<int> words(256);
    for (int i = 0; i < 256; ++i) words[i] = i * i;
    const lockstep::device_buffer<int> from(words);
    lockstep::device_buffer<int> to(words.size());
    std::size_t wrong = 0, copies = 0;
    for (auto* kernel : {by_ldg, by_ldca, by_ldcg, by_ldcs, by_ldlu, by_ldcv, by_stwb,
                         by_stcg, by_stcs, by_stwt}) {
        to.fill_bytes(0xFF);
        kernel<<<1, 256>>>(from.data(), to.data());
        lockstep::check(cudaGetLastError());
        wrong += lockstep::count_mismatches(to.to_host(), words);
        ++copies;
    }
    lockstep::report("functions", copies);
    lockstep::report("wrong words", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
