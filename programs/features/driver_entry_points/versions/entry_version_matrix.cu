// When do a pointer's type and the function that a lookup finds not fit together? This
// program looks up nothing. It invents a function that changed in 11.4 and applies the
// rules of the lookup to headers, runtimes and drivers of 11.3 and 11.4. Only the exact
// version beside the type fits in every line, or is refused.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

constexpr int changed_in = 11040;  // from then on the function has version 2

// [rule]
/// Which version of the function belongs to a CUDA version.
/// @param cuda_version  such as 11030
constexpr int version_at(int cuda_version) { return cuda_version < changed_in ? 1 : 2; }

/// What a lookup finds: 1 or 2, or 0 if the driver refuses the question.
/// @param asked   the version in the call
/// @param driver  the driver's version
constexpr int look_up(int asked, int driver) {
    return asked > driver ? 0 : version_at(asked);
}
// [/rule]

/// Prints one cell.
/// @param found  what the lookup found
/// @param type   the version of the pointer's type
/// @return whether the program would now call a function through a wrong type
bool mismatch(int found, int type) {
    const char* verdict = found == 0 ? "refused" : found == type ? "fits" : "MISMATCH";
    std::printf("%14s", verdict);
    return found != 0 && found != type;
}

int main() {
    lockstep::require_device();
    std::printf("header  runtime  driver%14s%14s%14s%14s\n", "exact", "CUDA_VERSION",
                "runtime's", "driver's");
    int mismatches[4] = {};
    const int versions[] = {11030, 11040};
    for (const int header : versions)
        for (const int runtime : versions)
            for (const int driver : versions) {
                if (runtime < header) continue;  // such a program does not start
                std::printf("%-6d  %-7d  %-6d", header, runtime, driver);
                // [ways]
                const int type = version_at(header);  // the header's newest type
                const int exact = type == 1 ? 10000 : 11040;  // where it appeared
                mismatches[0] += mismatch(look_up(exact, driver), type);
                mismatches[1] += mismatch(look_up(header, driver), type);
                mismatches[2] += mismatch(look_up(runtime, driver), type);
                mismatches[3] += mismatch(look_up(driver, driver), type);
                // [/ways]
                std::printf("\n");
            }
    return !mismatches[0] && !mismatches[1] && mismatches[2] && mismatches[3]
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
