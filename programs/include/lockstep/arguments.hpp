#pragma once
/// @file
/// Command-line options with one clear line for each mistake.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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
    arguments(int argc, char** argv)
        : argv_(argv), argc_(argc), used_(argc > 0 ? argc : 1, false) {
        used_[0] = true;
    }

    /// Whole number given as `--name N`.
    /// @param name      option name without dashes
    /// @param fallback  value if the option is absent
    /// @param low       smallest value accepted
    /// @param high      largest value accepted
    long long integer(const char* name, long long fallback, long long low,
                      long long high) {
        const char* text = value_of(name);
        if (!text) return fallback;
        char* end = nullptr;
        const long long value = std::strtoll(text, &end, 10);
        if (end == text || *end != '\0')
            fail(std::string("--") + name + " takes a whole number, not \"" + text +
                 "\"");
        if (value < low || value > high)
            fail(std::string("--") + name + " must be from " + std::to_string(low) +
                 " to " + std::to_string(high) + ", not " + text);
        return value;
    }

    /// One of several words given as `--name WORD`; returns its position in `words`.
    /// @param name   option name without dashes
    /// @param words  the words accepted; the first is used if the option is absent
    int choice(const char* name, const std::vector<const char*>& words) {
        const char* text = value_of(name);
        if (!text) return 0;
        std::string all;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (std::strcmp(words[i], text) == 0) return static_cast<int>(i);
            all += (i ? ", " : "") + std::string(words[i]);
        }
        fail(std::string("--") + name + " must be one of " + all + ", not \"" + text +
             "\"");
    }

    /// Text given as `--name TEXT`, or null if the option is absent.
    /// @param name  option name without dashes
    const char* text(const char* name) { return value_of(name); }

    /// Whether `--name` stands alone on the command line.
    /// @param name  option name without dashes
    bool flag(const char* name) {
        for (int i = 1; i < argc_; ++i)
            if (is_option(i, name)) return used_[i] = true;
        return false;
    }

    /// Refuses every argument that no option asked for.
    void finish() const {
        for (int i = 1; i < argc_; ++i)
            if (!used_[i]) fail(std::string("unknown argument \"") + argv_[i] + "\"");
    }

private:
    bool is_option(int i, const char* name) const {
        return std::strncmp(argv_[i], "--", 2) == 0 &&
               std::strcmp(argv_[i] + 2, name) == 0;
    }

    const char* value_of(const char* name) {
        for (int i = 1; i < argc_; ++i) {
            if (!is_option(i, name) || used_[i]) continue;
            if (i + 1 == argc_) fail(std::string("--") + name + " needs a value");
            used_[i] = used_[i + 1] = true;
            return argv_[i + 1];
        }
        return nullptr;
    }

    [[noreturn]] void fail(const std::string& message) const {
        const char* slash = std::strrchr(argv_[0], '/');
        std::fprintf(stderr, "%s: %s\n", slash ? slash + 1 : argv_[0], message.c_str());
        std::exit(2);
    }

    char** argv_;
    int argc_;
    std::vector<bool> used_;
};

}  // namespace lockstep
