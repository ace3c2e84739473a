#pragma once
/// @file
/// Writes a measured series as CSV, whole or not at all.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace lockstep {

/// A CSV file that appears under its name only when it is complete. If it cannot be
/// written, one line on standard error says so, and the program ends with status 1.
class csv_file {
public:
    /// @param path     where the file goes, or null to write nothing
    /// @param columns  their names with units, as `"stride,~time_us"`; only those that
    ///                 begin with `~` hold measurements and may differ from run to run
    csv_file(const char* path, const char* columns) {
        if (!path) return;
        path_ = path;
        file_ = std::fopen((path_ + ".part").c_str(), "w");
        if (!file_) fail();
        std::fprintf(file_, "%s\n", columns);
    }
    csv_file& operator=(csv_file&&) = delete;  // and so no copy
    ~csv_file() {
        if (file_) std::fclose(file_);
    }

    /// Writes one row.
    /// @param format  as for printf, one conversion for each column, no newline
    /// @param values  one for each conversion
    template <class... Values>
    void row(const char* format, Values... values) {
        if (file_) std::fprintf(file_, (std::string(format) + "\n").c_str(), values...);
    }

    /// Completes the file and gives it its name.
    void finish() {
        if (!file_) return;
        const bool written = std::fclose(std::exchange(file_, nullptr)) == 0;
        if (!written || std::rename((path_ + ".part").c_str(), path_.c_str()) != 0)
            fail();
    }

private:
    [[noreturn]] void fail() const {
        std::fprintf(stderr, "cannot write %s\n", path_.c_str());
        std::exit(EXIT_FAILURE);
    }

    std::string path_;
    std::FILE* file_ = nullptr;
};

}  // namespace lockstep
