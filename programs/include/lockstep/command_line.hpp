#pragma once
/// @file
/// Command-line options with one clear line for each mistake.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// Reads options such as `--n 1000`. Ask for each option once, then call finish().
/// Every mistake prints one line on standard error and exits with status 2.
class command_line {
public:
    /// @param argc, argv  as main received them; the words must outlive this object
    command_line(int argc, char** argv) : words_(argv, argv + argc) {}

    /// A whole number given as `--name N`.
    /// @tparam T         its type, which must hold every number from low to high
    /// @param name       of the option, without dashes
    /// @param fallback   the number if the option is absent
    /// @param low, high  the smallest and the largest number accepted
    template <class T = int>
    T integer(const char* name, long long fallback, long long low, long long high) {
        const char* word = text(name);
        if (!word) return static_cast<T>(fallback);
        char* end = nullptr;
        const long long value = std::strtoll(word, &end, 10);
        if (end == word || *end)
            fail("--%s takes a whole number, not \"%s\"\n", name, word);
        if (value < low || value > high)
            fail("--%s must be from %lld to %lld, not %s\n", name, low, high, word);
        return static_cast<T>(value);
    }

    /// One of several words given as `--name WORD`: its place among them, or 0 if the
    /// option is absent.
    int choice(const char* name, const std::vector<const char*>& words) {
        const char* word = text(name);
        const std::string_view given = word ? word : words[0];
        const auto at = std::find(words.begin(), words.end(), given);
        if (at != words.end()) return static_cast<int>(at - words.begin());
        std::string all;
        for (const char* each : words) all.append(all.empty() ? "" : ", ").append(each);
        fail("--%s must be one of %s, not \"%s\"\n", name, all.c_str(), word);
    }

    /// Text given as `--name TEXT`, or null if the option is absent.
    const char* text(const char* name) {
        auto at = find(name);
        if (at == words_.end()) return nullptr;
        *at++ = {};
        if (at == words_.end() || !at->data()) fail("--%s needs a value\n", name);
        return std::exchange(*at, {}).data();
    }

    /// Whether `--name` stands alone on the command line.
    bool flag(const char* name) {
        const auto at = find(name);
        if (at == words_.end()) return false;
        *at = {};
        return true;
    }

    /// Refuses what no call has asked for.
    void finish() const {
        for (std::size_t i = 1; i < words_.size(); ++i)
            if (words_[i].data()) fail("unknown argument \"%s\"\n", words_[i].data());
    }

private:
    std::vector<std::string_view>::iterator find(const char* name) {
        return std::find(words_.begin(), words_.end(), std::string("--") + name);
    }
    template <class... Values>
    [[noreturn]] void fail(const char* format, Values... values) const {
        std::fprintf(stderr, "%s: ", words_[0].data() + words_[0].rfind('/') + 1);
        std::fprintf(stderr, format, values...);
        std::exit(2);
    }

    std::vector<std::string_view> words_;  // emptied once asked for
};

}  // namespace lockstep
