#pragma once
/// @file
/// Command-line options with one clear line for each mistake.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// Reads options of the form `--name value`.
///
/// Every mistake prints one line on standard error and exits with status 2. Ask for
/// each option once, then call finish(), which refuses what was not asked for.
class arguments {
public:
    /// @param argc  as main received it
    /// @param argv  as main received it; must outlive this object
    arguments(int argc, char** argv) : words_(argv, argv + argc) {}

    /// Whole number given as `--name N`.
    /// @param name      option name without dashes
    /// @param fallback  value if the option is absent
    /// @param low       smallest value accepted
    /// @param high      largest value accepted
    long long integer(const char* name, long long fallback, long long low,
                      long long high) {
        const char* word = text(name);
        if (!word) return fallback;
        char* end = nullptr;
        const long long value = std::strtoll(word, &end, 10);
        if (end == word || *end)
            fail("--%s takes a whole number, not \"%s\"\n", name, word);
        if (value < low || value > high)
            fail("--%s must be from %lld to %lld, not %s\n", name, low, high, word);
        return value;
    }

    /// One of several words given as `--name WORD`; returns its position in `words`.
    /// @param name   option name without dashes
    /// @param words  the words accepted; the first is used if the option is absent
    int choice(const char* name, const std::vector<const char*>& words) {
        const char* word = text(name);
        std::string all;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (!word || std::strcmp(words[i], word) == 0) return static_cast<int>(i);
            all += (i ? ", " : "") + std::string(words[i]);
        }
        fail("--%s must be one of %s, not \"%s\"\n", name, all.c_str(), word);
    }

    /// Text given as `--name TEXT`, or null if the option is absent.
    /// @param name  option name without dashes
    const char* text(const char* name) {
        auto at = std::find(words_.begin(), words_.end(), std::string("--") + name);
        if (at == words_.end()) return nullptr;
        *at++ = {};
        if (at == words_.end() || !at->data()) fail("--%s needs a value\n", name);
        return std::exchange(*at, {}).data();
    }

    /// Whether `--name` stands alone on the command line.
    /// @param name  option name without dashes
    bool flag(const char* name) {
        auto at = std::find(words_.begin(), words_.end(), std::string("--") + name);
        if (at == words_.end()) return false;
        *at = {};
        return true;
    }

    /// Refuses every argument that no option asked for.
    void finish() const {
        for (std::size_t i = 1; i < words_.size(); ++i)
            if (words_[i].data()) fail("unknown argument \"%s\"\n", words_[i].data());
    }

private:
    template <class... Values>
    [[noreturn]] void fail(const char* format, Values... values) const {
        std::fprintf(stderr, "%s: ", words_[0].data() + words_[0].rfind('/') + 1);
        std::fprintf(stderr, format, values...);
        std::exit(2);
    }

    std::vector<std::string_view> words_;  // emptied once asked for
};

}  // namespace lockstep
