#pragma once
/// @file
/// Times several candidates for the same work in turns, and compares them.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/timer.hpp>

namespace lockstep {

/// Runs its candidates in turns, so that all of them meet the same clocks, temperatures
/// and neighbors.
///
/// The first candidate is the one that the program is about. Each round runs every
/// candidate once, between two events in the default stream.
class comparison {
public:
    /// @param unit       unit of the rates, such as "GB/s"
    /// @param unit_size  what one such unit is in units of work per second, such as 1e9
    comparison(const char* unit, double unit_size)
        : unit_(unit), unit_size_(unit_size) {}

    /// Adds a candidate.
    /// @param name    what it is called
    /// @param amount  units of work in one run, such as bytes moved
    /// @param work    callable that enqueues one run into the default stream
    void add(const char* name, double amount, std::function<void()> work) {
        candidates_.push_back({name, amount, std::move(work), {}});
    }

    /// Times all candidates after three warm-up runs of each.
    /// @param rounds  timed runs of each
    void run(int rounds = 20) {
        const std::vector<timing> times = time_in_turns(
            candidates_.size(), [&](std::size_t i) { candidates_[i].work(); }, rounds);
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            candidates_[i].time = times[i];
    }

    /// What a candidate reached, in the comparison's unit.
    /// @param i  its place in the order of add()
    double rate(std::size_t i) const {
        return candidates_[i].time.per_second(candidates_[i].amount) / unit_size_;
    }

    /// Its median and spread.
    /// @param i  its place in the order of add()
    timing time(std::size_t i) const { return candidates_[i].time; }

    /// Rate of the first candidate as a fraction of another's.
    /// @param i  the other's place in the order of add()
    double against(std::size_t i) const { return rate(0) / rate(i); }

    /// Prints time, spread and rate of the first candidate, the rates of the others,
    /// and how they compare.
    void print() const {
        report("time, median", measured{candidates_[0].time.median_ms * 1e3}, "us");
        report("spread, p10 to p90", measured{candidates_[0].time.spread() * 100}, "%");
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            report(candidates_[i].name, measured{rate(i)}, unit_);
        for (std::size_t i = 1; i < candidates_.size(); ++i)
            report((std::string("rate / ") + candidates_[i].name).c_str(),
                   measured{against(i) * 100}, "%");
    }

    /// Writes one row for the first candidate: its name, its time with the 10th and
    /// 90th percentile, its rate, and its rate in percent of each other candidate's.
    /// @param path    where the file goes, or null to write nothing
    /// @param columns  names of the columns, one for each of these
    void write(const char* path, const char* columns) const {
        csv_file file(path, columns);
        const timing& t = candidates_[0].time;
        std::string percents;
        for (std::size_t i = 1; i < candidates_.size(); ++i)
            percents += "," + std::to_string(against(i) * 100);
        file.row("%s,%.4g,%.4g,%.4g,%.4g%s", candidates_[0].name, t.median_ms * 1e3,
                 t.low_ms * 1e3, t.high_ms * 1e3, rate(0), percents.c_str());
        file.finish();
    }

private:
    struct candidate {
        const char* name;
        double amount;
        std::function<void()> work;
        timing time;
    };
    const char* unit_;
    double unit_size_;
    std::vector<candidate> candidates_;
};

}  // namespace lockstep
