#pragma once
// Passes a file descriptor and a few bytes from one process to another.

#include <cstddef>
#include <cstring>

#include <sys/socket.h>

/// Sends bytes, and a descriptor if there is one.
/// @param socket      one end of a socketpair of the family AF_UNIX
/// @param descriptor  what the other process receives a descriptor of its own for, or
/// -1
/// @param data        the bytes
/// @param bytes       how many
inline bool send_to(int socket, int descriptor, const void* data, std::size_t bytes) {
    iovec part{const_cast<void*>(data), bytes};
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
    return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

/// Receives what send_to() sent.
/// @param socket      the other end
/// @param descriptor  the descriptor, written; -1 if none came
/// @param data        the bytes, written
/// @param bytes       how many
/// @return whether all came; not if the other process has ended
inline bool receive_from(int socket, int* descriptor, void* data, std::size_t bytes) {
    iovec part{data, bytes};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    *descriptor = -1;
    if (recvmsg(socket, &message, MSG_WAITALL) != static_cast<ssize_t>(bytes))
        return false;
    if (const cmsghdr* rights = CMSG_FIRSTHDR(&message))
        std::memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
    return true;
}
