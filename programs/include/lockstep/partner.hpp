#pragma once
/// @file
/// A second process that runs the same program, and messages between the two.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep {

/// The other one of two processes of one program. Needs a POSIX system. Nothing waits
/// for ever: a message is awaited for 20 seconds, and each process ends after 40.
class partner {
public:
    /// Starts the program once more, with the option `--partner N`. N is the number of
    /// a socket that the new process inherits.
    /// @param program  path of the program, as in argv[0]
    explicit partner(const char* program) {
        alarm(40);
        int ends[2] = {-1, -1};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) fail("no socket");
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);  // the new process inherits its own alone
        const std::string number = std::to_string(ends[1]);
        const char* words[] = {program, "--partner", number.c_str(), nullptr};
        std::fflush(nullptr);
        if (posix_spawn(&process_, program, nullptr, nullptr, const_cast<char**>(words),
                        environ) != 0)
            fail("cannot start the second process");
        close(ends[1]);
        take(ends[0]);
    }
    /// In the process that was started: joins the one that started it.
    /// @param socket  the number after `--partner`
    explicit partner(int socket) {
        alarm(40);
        take(socket);
    }
    /// Takes over the other's process and socket.
    partner(partner&& other) noexcept
        : socket_(other.socket_), process_(other.process_) {
        other.socket_ = other.process_ = -1;
    }
    partner& operator=(partner&&) = delete;  // and so no copy
    ~partner() {
        if (socket_ >= 0) close(socket_);
        if (process_ > 0) end();
    }

    /// Sends a value, and a file descriptor if there is one.
    /// @param value       copied byte by byte
    /// @param descriptor  the other process receives a descriptor of its own for what
    ///                    this one stands for; -1 for none
    /// @return whether it was sent; not if the other process has ended
    template <class T>
    bool send(const T& value, int descriptor = -1) const {
        static_assert(std::is_trivially_copyable_v<T>);
        iovec part{const_cast<T*>(&value), sizeof value};
        alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        if (descriptor >= 0) {
            message.msg_control = space;
            message.msg_controllen = sizeof space;
            cmsghdr* rights = CMSG_FIRSTHDR(&message);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
        }
        return sendmsg(socket_, &message, MSG_NOSIGNAL) == ssize_t(sizeof value);
    }

    /// Waits for a value of the other process, and ends this process if none comes.
    /// @tparam T          the type that the other process sends
    /// @param descriptor  written with the descriptor that came along, or -1; may be
    ///                    null
    template <class T>
    T receive(int* descriptor = nullptr) const {
        T value{};
        if (!receive_into(value, descriptor)) fail("no message came");
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
    /// @return its exit status; -1 if a signal ended it
    int end() {
        int status = 0;
        if (process_ <= 0 || waitpid(process_, &status, 0) != process_) return -1;
        process_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    template <class T>
    bool receive_into(T& value, int* descriptor) const {
        static_assert(std::is_trivially_copyable_v<T>);
        iovec part{&value, sizeof value};
        alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        if (descriptor) *descriptor = -1;
        if (recvmsg(socket_, &message, 0) != ssize_t(sizeof value)) return false;
        const cmsghdr* rights = CMSG_FIRSTHDR(&message);
        if (rights && descriptor)
            std::memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
        return true;
    }

    void take(int socket) {
        socket_ = socket;
        timeval limit{20, 0};
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
