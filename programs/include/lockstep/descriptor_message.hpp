#pragma once
/// @file
/// Messages between two processes that can carry a file descriptor.

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <sys/socket.h>
#include <unistd.h>

namespace lockstep {

/// A message of one value, with room for one descriptor. It points into itself, so it
/// is neither copied nor moved.
struct descriptor_message {
    /// @param data   the value, sent or received
    /// @param bytes  its size
    descriptor_message(void* data, std::size_t bytes) : value{data, bytes} {
        header.msg_iov = &value;
        header.msg_iovlen = 1;
        header.msg_control = space;
        header.msg_controllen = sizeof space;
    }
    descriptor_message& operator=(descriptor_message&&) = delete;

    iovec value;  ///< where the value lies
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};  ///< for a descriptor
    msghdr header{};  ///< names both
};

/// Sends a value, and a file descriptor if there is one.
/// @param socket      one end of a pair of the family AF_UNIX
/// @param value       copied byte by byte
/// @param descriptor  the other process receives a descriptor of its own for what this
///                    one stands for; -1 for none
/// @return whether it was sent; not if the other process has ended
template <class T>
bool send_message(int socket, const T& value, int descriptor = -1) {
    static_assert(std::is_trivially_copyable_v<T>);
    descriptor_message message(const_cast<T*>(&value), sizeof value);
    if (descriptor >= 0) {
        cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    } else {
        message.header.msg_controllen = 0;
    }
    return sendmsg(socket, &message.header, MSG_NOSIGNAL) == ssize_t(sizeof value);
}

/// Receives what send_message() sent. Programs that this process starts later do not
/// inherit the descriptor.
/// @param socket      the other end
/// @param value       written
/// @param descriptor  written with the descriptor that came along, or -1; if it is
/// null,
///                    such a descriptor is closed
/// @return whether a whole message came; not if the other process has ended
template <class T>
bool receive_message(int socket, T& value, int* descriptor = nullptr) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (descriptor) *descriptor = -1;
    descriptor_message message(&value, sizeof value);
    constexpr int flags = MSG_WAITALL | MSG_CMSG_CLOEXEC;
    if (recvmsg(socket, &message.header, flags) != ssize_t(sizeof value)) return false;
    if (message.header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return false;
    const cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
    if (!rights) return true;
    int received = -1;
    if (rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS ||
        rights->cmsg_len != CMSG_LEN(sizeof received))
        return false;
    std::memcpy(&received, CMSG_DATA(rights), sizeof received);
    if (descriptor)
        *descriptor = received;
    else
        close(received);
    return true;
}

}  // namespace lockstep
