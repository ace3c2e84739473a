#pragma once
/// @file
/// Short form of the command-line options, for downloads. A mistake ends the program
/// with status 2, as in the long form; its message is shorter.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Reads options of the form `--name value`.
class arguments {
public:
    arguments(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            const char* word = argv[i];
            const bool has_value =
                i + 1 < argc && std::string(argv[i + 1]).rfind("--", 0) != 0;
            if (!words_.emplace(word, has_value ? argv[++i] : "").second)
                fail("%s is given twice\n", word);
        }
    }

    long long integer(const char* name, long long fallback, long long low,
                      long long high) {
        const char* word = text(name);
        char* end = nullptr;
        const long long value = word ? std::strtoll(word, &end, 10) : fallback;
        if (word && (end == word || *end || value < low || value > high))
            fail("--%s takes a whole number from %lld to %lld\n", name, low, high);
        return value;
    }

    int choice(const char* name, const std::vector<const char*>& words) {
        const char* word = text(name);
        for (std::size_t i = 0; i < words.size(); ++i)
            if (!word || std::string(words[i]) == word) return static_cast<int>(i);
        fail("--%s does not take \"%s\"\n", name, word);
    }

    const char* text(const char* name) {
        const auto found = words_.extract(std::string("--") + name);
        return found ? found.mapped() : nullptr;
    }

    bool flag(const char* name) {
        const char* value = text(name);
        if (value && *value) fail("--%s takes no value\n", name);
        return value;
    }

    void finish() const {
        if (!words_.empty())
            fail("unknown argument %s\n", words_.begin()->first.c_str());
    }

private:
    template <class... Values>
    [[noreturn]] static void fail(const char* format, Values... values) {
        std::fprintf(stderr, format, values...);
        std::exit(2);
    }

    std::map<std::string, const char*> words_;
};

}  // namespace lockstep
