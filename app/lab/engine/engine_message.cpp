#include "app/lab/engine/engine_message.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace tcpscope::lab {

namespace {

constexpr std::size_t kMostDescriptors = 40;
/// What the kernel lets a local socket send as one packet, with its default buffers.
constexpr std::size_t kLongestMessage = 200'000;

/// Where the other end closed without reading everything, the kernel says so once, before what it had sent.
bool isAgain(int errorNumber) {
  return errorNumber == EINTR || errorNumber == ECONNRESET;
}

std::vector<OwnedDescriptor> descriptorsOf(msghdr& header) {
  std::vector<OwnedDescriptor> result;
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr; control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t at = 0; at < count; ++at) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(control) + at * sizeof descriptor, sizeof descriptor);
      result.emplace_back(descriptor);
    }
  }
  return result;
}

}  // namespace

Expected<std::pair<OwnedDescriptor, OwnedDescriptor>, int> openMessageChannel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return tl::unexpected(errno);
  return std::pair(OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]));
}

Expected<void, int> sendMessage(int channel, const MessageWriter& message, std::span<const int> descriptors) {
  if (message.bytes().size() > kLongestMessage || descriptors.size() > kMostDescriptors) {
    return tl::unexpected(EMSGSIZE);
  }
  iovec part{const_cast<char*>(message.bytes().data()), message.bytes().size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  if (!descriptors.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  while (sendmsg(channel, &header, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return tl::unexpected(errno);
  }
  return {};
}

Expected<Message, int> receiveMessage(int channel, Milliseconds timeout) {
  pollfd waited{channel, POLLIN, 0};
  const int readable = poll(&waited, 1, static_cast<int>(timeout.count()));
  if (readable == 0) return tl::unexpected(ETIMEDOUT);
  if (readable < 0) return tl::unexpected(errno);

  Message message;
  message.bytes.resize(kLongestMessage);
  iovec part{message.bytes.data(), message.bytes.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t length = 0;
  do {
    length = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  } while (length < 0 && isAgain(errno));
  if (length < 0) return tl::unexpected(errno);
  if (length == 0) return tl::unexpected(EPIPE);
  message.descriptors = descriptorsOf(header);
  if ((header.msg_flags & MSG_TRUNC) != 0) return tl::unexpected(EMSGSIZE);
  message.bytes.resize(static_cast<std::size_t>(length));
  return message;
}

}  // namespace tcpscope::lab
