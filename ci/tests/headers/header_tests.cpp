// Tests of the header library that need no GPU. Prints each test that fails; exits with
// their number.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/statistics.hpp>

namespace {

int failures = 0;
int tests = 0;

void expect(bool holds, const std::string& what) {
    ++tests;
    if (holds) return;
    ++failures;
    std::printf("failed: %s\n", what.c_str());
}

void expect_equal(const std::string& found, const std::string& expected,
                  const std::string& what) {
    expect(found == expected,
           what + ": found \"" + found + "\", expected \"" + expected + "\"");
}

// What a call in a child process printed on both streams, and its exit status.
struct outcome {
    int status;
    std::string printed;
};

outcome in_child(const std::function<void()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return {-1, "no pipe"};
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        work();
        std::exit(0);
    }
    close(ends[1]);
    std::string printed;
    char buffer[256];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
        printed.append(buffer, got);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return {WEXITSTATUS(status), printed};
}

outcome with_arguments(std::vector<const char*> words,
                       const std::function<void(lockstep::command_line&)>& read) {
    return in_child([&] {
        words.insert(words.begin(), "/some/where/demo");
        lockstep::command_line options(static_cast<int>(words.size()),
                                       const_cast<char**>(words.data()));
        read(options);
        options.finish();
    });
}

void reads_n(lockstep::command_line& options) {
    std::printf("%d\n", options.integer("n", 7, 1, 100));
}

void test_arguments() {
    expect_equal(with_arguments({}, reads_n).printed, "7\n",
                 "an absent option has its fallback");
    expect_equal(with_arguments({"--n", "42"}, reads_n).printed, "42\n",
                 "an option has its value");
    const struct {
        std::vector<const char*> words;
        const char* message;
    } mistakes[] = {
        {{"--n"}, "demo: --n needs a value\n"},
        {{"--n", "x"}, "demo: --n takes a whole number, not \"x\"\n"},
        {{"--n", ""}, "demo: --n takes a whole number, not \"\"\n"},
        {{"--n", "1.5"}, "demo: --n takes a whole number, not \"1.5\"\n"},
        {{"--n", "0"}, "demo: --n must be from 1 to 100, not 0\n"},
        {{"--n", "-5"}, "demo: --n must be from 1 to 100, not -5\n"},
        {{"--n", "101"}, "demo: --n must be from 1 to 100, not 101\n"},
        {{"--n", "99999999999999999999"},
         "demo: --n must be from 1 to 100, not 99999999999999999999\n"},
        {{"--m", "5"}, "7\ndemo: unknown argument \"--m\"\n"},
        {{"5"}, "7\ndemo: unknown argument \"5\"\n"},
        {{"--n", "5", "--n", "6"}, "5\ndemo: unknown argument \"--n\"\n"},
    };
    for (const auto& mistake : mistakes) {
        const outcome found =
            with_arguments(mistake.words, [](lockstep::command_line& options) {
                reads_n(options);
                std::fflush(stdout);
            });
        expect_equal(found.printed, mistake.message, "a mistake has its message");
        expect(found.status == 2, "a mistake exits with 2");
    }
    const outcome large = with_arguments({}, [](lockstep::command_line& options) {
        const auto n = options.integer<std::size_t>("n", 1ll << 40, 1, 1ll << 50);
        std::printf("%zu\n", n);
    });
    expect_equal(large.printed, "1099511627776\n", "a larger type holds more");
    const auto chooses = [](lockstep::command_line& options) {
        std::printf("%d\n", options.choice("case", {"a", "b"}));
    };
    expect_equal(with_arguments({}, chooses).printed, "0\n",
                 "the first word is the fallback");
    expect_equal(with_arguments({"--case", "b"}, chooses).printed, "1\n",
                 "a word is found");
    const outcome refused = with_arguments({"--case", "c"}, chooses);
    expect_equal(refused.printed, "demo: --case must be one of a, b, not \"c\"\n",
                 "another word is refused");
    expect(refused.status == 2, "and exits with 2");
    const auto flags = [](lockstep::command_line& options) {
        std::printf("%d\n", options.flag("fast"));
    };
    expect_equal(with_arguments({"--fast"}, flags).printed, "1\n", "a flag is seen");
    expect_equal(with_arguments({}, flags).printed, "0\n", "an absent flag is not");
    const outcome valued = with_arguments({"--fast", "5"}, flags);
    expect(valued.status == 2, "a flag takes no value");
    const auto reads_text = [](lockstep::command_line& options) {
        const char* text = options.text("csv");
        std::printf("%s\n", text ? text : "(none)");
    };
    expect_equal(with_arguments({"--csv", "a.csv"}, reads_text).printed, "a.csv\n",
                 "text is passed on");
    expect_equal(with_arguments({}, reads_text).printed, "(none)\n",
                 "absent text is null");
}

void test_compare() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expect(lockstep::count_mismatches<float>({1, 2, 3}, {1, 2, 3}) == 0,
           "equal arrays have no mismatch");
    expect(lockstep::count_mismatches<float>({1, nan, 4}, {1, 2, 3}) == 2,
           "NaN and a wrong value are mismatches");
    expect(lockstep::count_mismatches<float>({nan}, {nan}) == 1,
           "NaN matches nothing, not even NaN");
    expect(lockstep::count_mismatches<float>({1}, {1, 2, 3}) == 3,
           "arrays of different length differ everywhere");
}

void test_statistics() {
    expect(lockstep::summarize({3, 1, 2}).median_ms == 2,
           "median of an odd number of samples");
    expect(lockstep::summarize({4, 1, 2, 3}).median_ms == 2.5,
           "median of an even number of samples");
    std::vector<double> samples;
    for (int i = 21; i >= 1; --i) samples.push_back(i);
    const lockstep::timing timing = lockstep::summarize(samples);
    expect(timing.median_ms == 11 && timing.low_ms == 3 && timing.high_ms == 19,
           "percentiles of 21 samples");
    expect(std::abs(timing.spread() - 16.0 / 11) < 1e-12,
           "spread is relative to the median");
    expect(lockstep::summarize({0.5}).per_second(1000) == 2e6, "a rate is per second");
    expect(lockstep::summarize({2}).spread() == 0, "one sample has no spread");
}

void test_report() {
    const outcome found = in_child([] {
        lockstep::report("elements", 1000000);
        lockstep::report("bytes", std::size_t{4}, "B");
        lockstep::report("bandwidth", lockstep::measured{3.914}, "TB/s");
        lockstep::report("ratio", lockstep::measured{-0.12345});
        lockstep::report("rate", lockstep::measured{1234.5}, "GB/s");
        lockstep::report("updates lost", lockstep::counted{0});
        lockstep::report("updates kept", lockstep::counted{123456789});
        lockstep::report("error", "cudaSuccess");
        lockstep::report("right", true);
        lockstep::report("bound", 0.5F);
        lockstep::report("largest", ~0ull, "B");
    });
    expect_equal(found.printed,
                 "elements                    1000000\n"
                 "bytes                       4 B\n"
                 "bandwidth                   ~3.91 TB/s\n"
                 "ratio                       ~-0.123\n"
                 "rate                        ~1234 GB/s\n"
                 "updates lost                ~0\n"
                 "updates kept                ~123456789\n"
                 "error                       cudaSuccess\n"
                 "right                       yes\n"
                 "bound                       0.5\n"
                 "largest                     18446744073709551615 B\n",
                 "report lines are aligned and only measurements have a ~");
}

void test_series() {
    const std::string path = "header_tests_series.csv";
    {
        lockstep::csv_file series(path.c_str(), "n,~ms");
        series.row("%d,%.3f", 1, 0.5);
        expect(!std::ifstream(path).good(),
               "a series has no name before it is complete");
        series.finish();
    }
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    expect_equal(text.str(), "n,~ms\n1,0.500\n", "a series holds its rows");
    std::remove(path.c_str());
    lockstep::csv_file nowhere(nullptr, "n");
    nowhere.row("%d", 1);
    nowhere.finish();
    const outcome found =
        in_child([] { lockstep::csv_file("/no/such/folder/x.csv", "n"); });
    expect_equal(found.printed, "cannot write /no/such/folder/x.csv\n",
                 "a file that cannot be written is one line");
    expect(found.status == 1, "and exit status 1");
}

void test_check() {
    expect(in_child([] { lockstep::check(cudaSuccess); }).status == 0,
           "success goes on");
    const outcome failed =
        in_child([] { lockstep::check(cudaErrorInvalidValue, "/a/b/demo.cu", 7); });
    expect_equal(failed.printed, "demo.cu:7: cudaErrorInvalidValue: invalid argument\n",
                 "a failure names file and line");
    expect(failed.status == 1, "a failure exits with 1");
    const outcome windows =
        in_child([] { lockstep::check(cudaErrorInvalidValue, "C:\\a\\demo.cu", 7); });
    expect_equal(windows.printed, failed.printed,
                 "folders of Windows are left out, too");
    const outcome late = in_child([] {
        std::printf("result\n");
        lockstep::check(cudaErrorInvalidValue, "demo.cu", 7);
    });
    expect_equal(late.printed, "result\n" + failed.printed,
                 "what was printed before a failure comes first");
    const outcome other = in_child(
        [] { lockstep::stop_at(false, "LIBRARY_BROKEN", "it broke", "demo.cu", 3); });
    expect_equal(other.printed, "demo.cu:3: LIBRARY_BROKEN: it broke\n",
                 "every library's failure is printed alike");
    for (const cudaError_t none :
         {cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorStubLibrary}) {
        const outcome found = in_child([=] { lockstep::check(none); });
        expect(found.status == lockstep::no_device_status, "no device exits with 77");
        expect(found.printed.find("no usable CUDA device: ") != std::string::npos &&
                   found.printed.find('\n') == found.printed.size() - 1,
               "no device is one clear line");
    }
}

void test_owners() {
    using lockstep::device_buffer;
    static_assert(
        std::is_same_v<decltype(std::declval<device_buffer<int>&>().data()), int*>);
    static_assert(
        std::is_same_v<decltype(std::declval<const device_buffer<int>&>().data()),
                       const int*>);
    static_assert(std::is_nothrow_move_constructible_v<device_buffer<int>> &&
                  !std::is_copy_constructible_v<device_buffer<int>>);
    static_assert(std::is_nothrow_move_constructible_v<lockstep::owned_stream> &&
                  !std::is_copy_constructible_v<lockstep::owned_stream>);
    static_assert(std::is_nothrow_move_constructible_v<lockstep::owned_event> &&
                  !std::is_copy_constructible_v<lockstep::owned_event>);
    for (const auto& make :
         {std::function<void()>([] { lockstep::owned_stream one; }),
          std::function<void()>([] { lockstep::owned_event one; }),
          std::function<void()>([] { device_buffer<int> one(1); })}) {
        setenv("CUDA_VISIBLE_DEVICES", "", 1);
        expect(in_child(make).status == lockstep::no_device_status,
               "an owner that cannot be made for want of a device exits with 77");
    }
}

void test_verdict() {
    const outcome right = in_child([] {
        lockstep::exercise_verdict verdict;
        verdict.equal("sums", std::vector<int>{1, 2}, std::vector<int>{1, 2});
        verdict.holds("one launch", true, "look at the loop");
        std::exit(verdict.finish());
    });
    expect(right.status == 0 && right.printed.find("solved") != std::string::npos,
           "a right solution is solved");

    const outcome wrong = in_child([] {
        lockstep::exercise_verdict verdict;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        verdict.equal("roots", std::vector<float>{1, nan, 3},
                      std::vector<float>{1, 2, 3}, 0.5);
        std::exit(verdict.finish());
    });
    expect(wrong.status == 1, "NaN is not right");
    expect(wrong.printed.find("element 1 is nan, expected 2; 1 of 3 are wrong") !=
               std::string::npos,
           "a wrong value is shown with its place");

    const outcome placed = in_child([] {
        lockstep::exercise_verdict verdict(-1);
        verdict.equal("cells", std::vector<int>{0, 1, 2, 3, -1, 5},
                      std::vector<int>{0, 1, 2, 3, 4, 5},
                      lockstep::in_groups(3, "row", "column"));
        verdict.equal("sum", std::vector<int>{7}, std::vector<int>{8});
        verdict.equal("counts", std::vector<int>{1, 2}, std::vector<int>{1, 3},
                      lockstep::numbered("bin"));
        verdict.equal(
            "tiles", std::vector<int>(8, 1), std::vector<int>{1, 1, 1, 1, 1, 1, 1, 2},
            lockstep::in_groups(4, "tile", lockstep::in_groups(2, "row", "column")));
        std::exit(verdict.finish());
    });
    expect(placed.printed.find("row 1, column 1 is -1, expected 4; 1 of 6 are wrong\n"
                               "  that is the fill pattern: nothing was written") !=
               std::string::npos,
           "a wrong element is named in the learner's terms, and what was not written");
    expect(placed.printed.find("bin 1 is 2, expected 3;") != std::string::npos &&
               placed.printed.find("tile 1, row 1, column 1 is 1, expected 2;") !=
                   std::string::npos,
           "a place is a number, or a number within groups");
    expect(placed.printed.find("it is 7, expected 8\n") != std::string::npos,
           "a single value needs no place");

    const outcome large = in_child([] {
        lockstep::exercise_verdict verdict;
        verdict.equal("words", std::vector<unsigned>{1, 2'147'483'648},
                      std::vector<unsigned>{1, 4'294'967'295});
        verdict.equal("counts", std::vector<long long>{(1LL << 53) + 1},
                      std::vector<long long>{1LL << 53});
        verdict.equal("sums", std::vector<float>{0x1p31F}, std::vector<float>{0.5F});
        std::exit(verdict.finish());
    });
    expect(
        large.printed.find("element 1 is 2147483648, expected 4294967295;") !=
                std::string::npos &&
            large.printed.find("it is 2147483648, expected 0.5") != std::string::npos,
        "whole numbers are shown digit by digit");
    expect(large.printed.find("it is 9007199254740993, expected 9007199254740992") !=
               std::string::npos,
           "whole numbers are compared exactly");

    const outcome other = in_child([] {
        lockstep::exercise_verdict verdict;
        verdict.equal("rows", std::vector<int>{1}, std::vector<int>{1, 2});
        verdict.holds("one launch", false, "look at the loop");
        verdict.at_least("faster", 1.1, 1.3, "fetch once");
        std::exit(verdict.finish());
    });
    expect(other.status == 1 &&
               other.printed.find("there are 1, expected 2") != std::string::npos &&
               other.printed.find("look at the loop") != std::string::npos &&
               other.printed.find("at least 1.3 times is wanted: fetch once") !=
                   std::string::npos,
           "every finding is told, with where to look");
}

}  // namespace

int main() {
    test_arguments();
    test_compare();
    test_statistics();
    test_report();
    test_series();
    test_check();
    test_owners();
    test_verdict();
    std::printf("%d passed, %d failed\n", tests - failures, failures);
    return failures;
}
