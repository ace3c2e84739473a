#pragma once
/// @file
/// A second process that runs the same program, and messages between the two.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/descriptor_message.hpp>

namespace lockstep {

/// The other one of two processes of one program. Needs a POSIX system. Nothing waits
/// for ever: a message is awaited for 20 seconds, and each process ends after 40.
class partner {
public:
    /// Starts the program once more, with the option `--partner N`. N is the number of
    /// a socket that the new process inherits.
    /// @param program  path of the program, as in argv[0]
    explicit partner(const char* program) {
        int ends[2] = {-1, -1};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) fail("no socket");
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);  // the new process inherits its own alone
        limit_waiting(ends[0]);
        const std::string number = std::to_string(ends[1]);
        const char* words[] = {program, "--partner", number.c_str(), nullptr};
        std::fflush(nullptr);
        if (posix_spawn(&process_, program, nullptr, nullptr, const_cast<char**>(words),
                        environ) != 0)
            fail("cannot start the second process");
        close(ends[1]);
    }
    /// In the process that was started: joins the one that started it.
    /// @param socket  the number after `--partner`
    explicit partner(int socket) { limit_waiting(socket); }
    /// Takes over the other's process and socket.
    partner(partner&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)),
          process_(std::exchange(other.process_, -1)) {}
    partner& operator=(partner&&) = delete;  // and so no copy
    ~partner() {
        if (socket_ >= 0) close(socket_);
        end();
    }

    /// Sends a value, and a file descriptor if there is one, as send_message() does.
    template <class T>
    bool send(const T& value, int descriptor = -1) const {
        return send_message(socket_, value, descriptor);
    }
    /// Waits for a value of the other process, and ends this process if none comes.
    /// @tparam T          the type that the other process sends
    /// @param descriptor  as for receive_message()
    template <class T>
    T receive(int* descriptor = nullptr) const {
        T value{};
        if (!receive_message(socket_, value, descriptor)) fail("no message came");
        return value;
    }

    /// Waits until the other process has ended, in place of a message.
    /// @return whether it has ended; not if it sent something
    bool gone() const {
        char nothing = 0;
        return recv(socket_, &nothing, 1, 0) == 0;
    }
    /// Kills the process that this one has started, and waits for its end.
    void kill() {
        if (process_ > 0) ::kill(process_, SIGKILL);
        end();
    }
    /// Waits for the end of the process that this one has started.
    /// @return its exit status; -1 if a signal ended it, or there is none
    int end() {
        int status = 0;
        const pid_t process = std::exchange(process_, -1);
        if (process <= 0 || waitpid(process, &status, 0) != process) return -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    void limit_waiting(int socket) {
        alarm(40);
        socket_ = socket;
        const timeval limit{20, 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    [[noreturn]] static void fail(const char* what) {
        std::fflush(stdout);
        std::fprintf(stderr, "two processes: %s\n", what);
        std::exit(EXIT_FAILURE);
    }

    int socket_ = -1;
    pid_t process_ = -1;
};

}  // namespace lockstep
