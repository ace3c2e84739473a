#include <vector>

/// Sum of all values; the host's part of the example, compiled by the C++ compiler.
/// @param values  what to add
double sum_of(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) sum += value;
    return sum;
}
