#include "error_log.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <utility>

#include "unseen_errors.hpp"

#ifndef __wasm__
#include <pthread.h>
#endif

namespace emulator {

namespace {

constexpr size_t most_messages = 100;
constexpr char rolled_over[] =
    "Log buffer has rolled over since the previous dump. The oldest messages will be missing";

std::deque<std::string> messages;  // the last ones; an empty one stands for what is not known
uint64_t logged;                   // how many there ever were
std::string lacking_about;
uint64_t failures;

thread_local const char* running_function;
thread_local bool known;  // what the log says of the failure of the running call

const char* log_file() {
    static const char* const name = getenv("CUDA_LOG_FILE");
    return name && *name ? name : nullptr;
}

std::string thread_number() {
#ifdef __wasm__
    return "1";
#else
    return std::to_string(static_cast<unsigned long>(pthread_self()));
#endif
}

std::string prefix() {
    using namespace std::chrono;
    const auto now = system_clock::now();
    const time_t seconds = system_clock::to_time_t(now);
    char text[48];
    size_t end = strftime(text, sizeof text, "[%H:%M:%S", localtime(&seconds));
    snprintf(text + end, sizeof text - end, ".%03d]",
             int(duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000));
    return text + ("[" + thread_number()) + "][CUDA][E] ";
}

void keep(const std::string& line) {
    messages.push_back(line);
    ++logged;
    if (messages.size() > most_messages) messages.pop_front();
}

// Also to where the environment says; a file that cannot be opened is told of once, in the log.
void write_out(const std::string& line) {
    const char* const name = log_file();
    if (!name) return;
    std::FILE* file = nullptr;
    if (strcmp(name, "stdout") == 0)
        file = stdout;
    else if (strcmp(name, "stderr") == 0)
        file = stderr;
    const bool opened = !file;
    if (opened) file = fopen(name, "a");
    if (!file) {
        static bool told;
        if (!std::exchange(told, true))
            keep(std::string("Failed to open log file ") + name + " due to " + strerror(errno));
        return;
    }
    fprintf(file, "%s\n", line.c_str());
    opened ? fclose(file) : fflush(file);
}

void message(const std::string& text) {
    const std::string line = prefix() + text;
    write_out(line);
    keep(line);
    std::string passed = text;
    log_callbacks.for_each([&](log_callback& callback) {
        callback.function(callback.data, CU_LOG_LEVEL_ERROR, passed.data(), passed.size());
    });
}

void say_lacking(const char* where) {
    fflush(stdout);
    fprintf(stderr,
            "emulator: %s: the emulator does not know what the log says of a call that "
            "failed with %s\n",
            where, lacking_about.c_str());
}

}  // namespace

handle_registry<log_callback, CUlogsCallbackHandle> log_callbacks;

driver_function::driver_function(const char* name)
    : before_(std::exchange(running_function, name)) {}
driver_function::~driver_function() { running_function = before_; }

cudaError_t log_refusal(cudaError_t error, const std::string& reason) {
    return running_function ? log_refusal_by(running_function, error, reason) : error;
}
cudaError_t log_refusal_by(const char* function, cudaError_t error, const std::string& reason) {
    if (!reason.empty()) message(reason);
    const char* name = nullptr;
    cuGetErrorName(CUresult(error), &name);
    message("Returning " + std::to_string(int(error)) + " (" + (name ? name : "?") + ") from " +
            function);
    known = true;
    return error;
}
cudaError_t log_reason(cudaError_t error, const std::string& reason) {
    if (!reason.empty()) message(reason);
    known = true;
    return error;
}

void note_failure(cudaError_t error) {
    if (std::exchange(known, false) || error == cudaSuccess || error == cudaErrorNotReady) return;
    ++failures;
    keep("");
    lacking_about = cudaGetErrorName(error);
    if (log_file()) say_lacking("CUDA_LOG_FILE");
    log_callbacks.for_each([](log_callback&) { say_lacking("a callback of the error log"); });
}
bool log_is_heard() {
    bool heard = false;
    log_callbacks.for_each([&](log_callback&) { heard = true; });
    return heard;
}
uint64_t log_end() { return logged; }
bool dump_log(const char* function, unsigned* place, std::string* text) {
    errors_were_seen();
    const uint64_t oldest = logged - messages.size();
    const uint64_t from = place ? *place : 0;
    for (uint64_t i = std::max(from, oldest); i < logged; ++i)
        if (messages[size_t(i - oldest)].empty()) {
            say_lacking(function);
            return false;
        }
    if (from < oldest) *text = std::string(rolled_over) + "\n";
    for (uint64_t i = std::max(from, oldest); i < logged; ++i)
        *text += messages[size_t(i - oldest)] + "\n";
    if (place) *place = unsigned(logged);
    return true;
}

uint64_t unknown_failures() { return failures; }
void failure_is_known() { known = true; }

}  // namespace emulator
