#pragma once
/// @file
/// Times several ways to do the same work in turns, and compares them.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>
#include <lockstep/series.hpp>
#include <lockstep/statistics.hpp>

namespace lockstep {

/// Runs its contenders in turns, so that all of them meet the same clocks, temperatures and neighbours.
///
/// The first contender is the one that the program is about. Each round runs every contender once, between two events
/// in the default stream.
class contest {
public:
    /// @param unit       unit of the rates, such as "GB/s"
    /// @param unit_size  what one such unit is in units of work per second, such as 1e9
    contest(const char* unit, double unit_size) : unit_(unit), unit_size_(unit_size) {}

    /// Adds a way to do work.
    /// @param name    what it is called
    /// @param amount  units of work in one run, such as bytes moved
    /// @param work    callable that enqueues one run into the default stream
    void add(const char* name, double amount, std::function<void()> work) {
        contenders_.push_back({name, amount, std::move(work), {}});
    }

    /// Times all contenders after three warm-up runs of each.
    /// @param rounds  timed runs of each
    void run(int rounds = 20) {
        cudaEvent_t begin = nullptr;
        cudaEvent_t end = nullptr;
        check(cudaEventCreate(&begin));
        check(cudaEventCreate(&end));
        std::vector<std::vector<double>> samples_ms(contenders_.size());
        for (int round = -3; round < rounds; ++round) {
            for (std::size_t i = 0; i < contenders_.size(); ++i) {
                check(cudaEventRecord(begin));
                contenders_[i].work();
                check(cudaEventRecord(end));
                check(cudaEventSynchronize(end));
                float elapsed_ms = 0;
                check(cudaEventElapsedTime(&elapsed_ms, begin, end));
                if (round >= 0) samples_ms[i].push_back(elapsed_ms);
            }
        }
        check(cudaGetLastError());
        check(cudaEventDestroy(begin));
        check(cudaEventDestroy(end));
        for (std::size_t i = 0; i < contenders_.size(); ++i) contenders_[i].time = summarize(samples_ms[i]);
    }

    /// What a contender reached, in the contest's unit.
    /// @param i  its place in the order of add()
    double rate(std::size_t i) const { return contenders_[i].time.per_second(contenders_[i].amount) / unit_size_; }

    /// Its median and spread.
    /// @param i  its place in the order of add()
    timing time(std::size_t i) const { return contenders_[i].time; }

    /// Rate of the first contender as a fraction of another's.
    /// @param i  the other's place in the order of add()
    double against(std::size_t i) const { return rate(0) / rate(i); }

    /// Prints time, spread and rate of the first contender, the rates of the others, and how they compare.
    void print() const {
        report("time", measured{contenders_[0].time.median_ms * 1e3}, "us");
        report("spread", measured{contenders_[0].time.spread() * 100}, "%");
        for (std::size_t i = 0; i < contenders_.size(); ++i) report(contenders_[i].name, measured{rate(i)}, unit_);
        for (std::size_t i = 1; i < contenders_.size(); ++i)
            report((std::string("of ") + contenders_[i].name).c_str(), measured{against(i) * 100}, "%");
    }

    /// Writes one row for the first contender: its name, its time with the 10th and 90th percentile, its rate, and its
    /// rate in percent of each other contender's.
    /// @param path    where the file goes, or null to write nothing
    /// @param header  names of the columns, one for each of these
    void write(const char* path, const char* header) const {
        series file(path, header);
        const timing& t = contenders_[0].time;
        std::string percents;
        for (std::size_t i = 1; i < contenders_.size(); ++i) percents += "," + std::to_string(against(i) * 100);
        file.row("%s,%.4g,%.4g,%.4g,%.4g%s", contenders_[0].name, t.median_ms * 1e3, t.low_ms * 1e3, t.high_ms * 1e3,
                 rate(0), percents.c_str());
        file.finish();
    }

private:
    struct contender {
        const char* name;
        double amount;
        std::function<void()> work;
        timing time;
    };
    const char* unit_;
    double unit_size_;
    std::vector<contender> contenders_;
};

}  // namespace lockstep
