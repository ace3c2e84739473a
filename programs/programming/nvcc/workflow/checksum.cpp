// A unit of host code alone. Any C++ compiler builds it: there is nothing of CUDA in
// it.

#include <cstddef>
#include <vector>

/// Sum of the elements, each weighted with its position.
/// @param x  the elements
long long checksum(const std::vector<int>& x) {
    long long sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<long long>(i) * x[i];
    return sum;
}
