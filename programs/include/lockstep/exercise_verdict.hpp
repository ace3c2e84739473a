#pragma once
/// @file
/// The verdict of an exercise: what was expected, what was found, where to look.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <lockstep/measured.hpp>  // IWYU pragma: export

namespace lockstep {

/// Says where an element lies, such as "row 2, column 5".
using element_place = std::function<std::string(std::size_t element)>;

/// Places in an array whose elements the learner calls otherwise: bin 7.
/// @param what  what the learner calls an element
inline element_place numbered(const char* what) {
    return [=](std::size_t element) {
        return std::string(what) + " " + std::to_string(element);
    };
}

/// Places in an array that is divided into groups of equal size: rows, blocks, chunks.
/// @param size    elements of a group
/// @param group   what the learner calls a group
/// @param within  where an element lies in its group
inline element_place in_groups(std::size_t size, const char* group,
                               const element_place& within) {
    return [=](std::size_t element) {
        return numbered(group)(element / size) + ", " + within(element % size);
    };
}

/// The same, where an element has a number in its group.
/// @param size    elements of a group
/// @param group   what the learner calls a group
/// @param member  what the learner calls an element of it
inline element_place in_groups(std::size_t size, const char* group,
                               const char* member) {
    return in_groups(size, group, numbered(member));
}

/// Collects what an exercise's check finds, one line for each thing that it looks at.
class exercise_verdict {
public:
    exercise_verdict() = default;
    /// @param fill  what the results held before the learner's part ran
    explicit exercise_verdict(double fill) : fill_(fill) {}

    /// Compares values with what they should be. NaN is never right.
    /// @param what       name of the values
    /// @param found      what the learner's part made
    /// @param expected   what it should have made
    /// @param tolerance  largest difference that counts as equal
    /// @param place      where an element lies
    template <class T>
    void equal(const char* what, const std::vector<T>& found,
               const std::vector<T>& expected, double tolerance = 0,
               const element_place& place = nullptr) {
        if (found.size() != expected.size())
            return fail(what, "  there are %zu, expected %zu\n", found.size(),
                        expected.size());
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = found.size(); i-- > 0;) {
            const double error = std::fabs(double(found[i]) - double(expected[i]));
            if (found[i] == expected[i] || (tolerance > 0 && error <= tolerance))
                continue;
            first = i;
            ++wrong;
        }
        if (wrong == 0) return report(what, "right");
        const std::string value = in_full(found[first]),
                          wanted = in_full(expected[first]);
        if (found.size() == 1)
            fail(what, "  it is %s, expected %s\n", value.c_str(), wanted.c_str());
        else
            fail(what, "  %s is %s, expected %s; %zu of %zu are wrong\n",
                 place ? place(first).c_str()
                       : ("element " + std::to_string(first)).c_str(),
                 value.c_str(), wanted.c_str(), wrong, found.size());
        if (is_fill(double(found[first])))
            std::printf("  that is the fill pattern: nothing was written there\n");
    }

    /// The same, exactly, with a place.
    template <class T>
    void equal(const char* what, const std::vector<T>& found,
               const std::vector<T>& expected, const element_place& place) {
        equal(what, found, expected, 0, place);
    }

    /// Judges a yes or no.
    /// @param what    name of the condition
    /// @param holds   whether it holds
    /// @param advice  where to look if it does not
    void holds(const char* what, bool holds, const char* advice) {
        holds ? report(what, "right") : fail(what, "  %s\n", advice);
    }

    /// Judges a measured ratio.
    /// @param what    name of the ratio
    /// @param found   the ratio
    /// @param wanted  the least that will do
    /// @param advice  where to look if it is less
    void at_least(const char* what, double found, double wanted, const char* advice) {
        report(what, measured{found}, "times");
        if (found >= wanted) return;
        failed_ = true;
        std::printf("  at least %.3g times is wanted: %s\n", wanted, advice);
    }

    /// Prints the verdict.
    /// @return exit status for main: success if nothing failed
    int finish() const {
        report("verdict", failed_ ? "not yet" : "solved");
        return failed_ ? EXIT_FAILURE : EXIT_SUCCESS;
    }

private:
    /// A value as text, whole numbers digit by digit.
    template <class T>
    static std::string in_full(T value) {
        if constexpr (std::is_integral_v<T>) return std::to_string(value);
        const bool whole =
            double(value) == std::trunc(value) && std::fabs(value) < 1e15;
        char text[32];
        std::snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", double(value));
        return text;
    }

    bool is_fill(double value) const {
        return fill_ && (value == *fill_ || (std::isnan(value) && std::isnan(*fill_)));
    }

    template <class... Values>
    void fail(const char* what, const char* finding, Values... values) {
        failed_ = true;
        report(what, "wrong");
        std::printf(finding, values...);
    }

    std::optional<double> fill_;
    bool failed_ = false;
};

}  // namespace lockstep
