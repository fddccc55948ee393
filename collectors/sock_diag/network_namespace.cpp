#include "collectors/sock_diag/network_namespace.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "collectors/system/child_process.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

using Attempt = NetlinkError::Attempt;

// What the child says over the pair of sockets; the descriptor goes beside it.
struct ChildAnswer {
  NetlinkError error;
  bool opened = false;
};

union ControlBuffer {
  cmsghdr alignment;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

/// Enters, then calls `open`, which gives a descriptor.
template <class Open>
Expected<int, NetlinkError> enterAndOpen(const char* path, const Open& open) {
  if (!enterNetworkNamespace(path)) {
    // EINVAL: the file exists, but it is no network namespace (any more).
    const int number = errno == EINVAL ? ENOENT : errno;
    return Unexpected<NetlinkError>(netlinkError(Attempt::enterNamespace, number));
  }
  return open();
}

void sendAnswer(int pipe, const Expected<int, NetlinkError>& opened) {
  ChildAnswer answer;
  answer.opened = opened.has_value();
  if (!opened) answer.error = opened.error();
  iovec part{&answer, sizeof answer};
  ControlBuffer control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (opened) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &*opened, sizeof(int));
  }
  sendmsg(pipe, &message, MSG_NOSIGNAL);
}

Expected<int, NetlinkError> receiveAnswer(int pipe) {
  ChildAnswer answer;
  answer.error = netlinkError(Attempt::enterNamespace, ECHILD);
  iovec part{&answer, sizeof answer};
  ControlBuffer control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  ssize_t size = 0;
  do {
    size = recvmsg(pipe, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  const cmsghdr* header = size == static_cast<ssize_t>(sizeof answer) ? CMSG_FIRSTHDR(&message) : nullptr;
  if (!answer.opened || header == nullptr || header->cmsg_type != SCM_RIGHTS) {
    return Unexpected<NetlinkError>(answer.error);
  }
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

/// What `open` opens in a child that has entered.
template <class Open>
Expected<int, NetlinkError> descriptorFrom(const NetworkNamespace& where, const Open& open) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return Unexpected<NetlinkError>(netlinkError(Attempt::open, errno));
  }
  const OwnedDescriptor ours(ends[0]);
  OwnedDescriptor theirs(ends[1]);
  const auto child = ChildProcess::fork([&] {
    // Only system calls: other threads of the parent may have held any lock.
    sendAnswer(theirs.get(), enterAndOpen(where.path().c_str(), open));
    return 0;
  });
  if (!child) return Unexpected<NetlinkError>(netlinkError(Attempt::enterNamespace, child.error().errorNumber));
  theirs.reset();
  return receiveAnswer(ours.get());
}

bool isName(std::string_view text) {
  return !text.empty() && text.size() <= 255 && text != "." && text != ".." &&
         text.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

}  // namespace

bool isNetworkNamespace(const OwnedDescriptor& descriptor, std::uint64_t inode) {
  struct statfs fileSystem {};
  struct stat status {};
  return fstatfs(descriptor.get(), &fileSystem) == 0 && fileSystem.f_type == NSFS_MAGIC &&
         fstat(descriptor.get(), &status) == 0 && status.st_ino == inode;
}

bool enterNetworkNamespace(const char* path) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  if (setns(descriptor, CLONE_NEWNET) == 0) return true;
  if (errno != EPERM) return false;
  const int owner = ioctl(descriptor, NS_GET_USERNS);
  return owner >= 0 && setns(owner, CLONE_NEWUSER) == 0 && setns(descriptor, CLONE_NEWNET) == 0;
}

void leaveNetworkNamespace(const OwnedDescriptor& own) {
  if (setns(own.get(), CLONE_NEWNET) == 0) return;
  // It stays there then, which is no more than untidy.
  if (unshare(CLONE_NEWNET) != 0) return;
}

std::optional<NetworkNamespace> NetworkNamespace::parse(std::string_view nameOrPid) {
  if (!isName(nameOrPid)) return std::nullopt;
  const bool isPid = std::all_of(nameOrPid.begin(), nameOrPid.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (isPid) return NetworkNamespace("/proc/" + std::string(nameOrPid) + "/ns/net");
  return NetworkNamespace("/run/netns/" + std::string(nameOrPid));
}

NetworkNamespace NetworkNamespace::of(const OwnedDescriptor& descriptor) {
  return NetworkNamespace("/proc/self/fd/" + std::to_string(descriptor.get()));
}

Expected<NetlinkChannelPointer, NetlinkError> openInNamespace(const NetworkNamespace& where, DiagSocketUse use) {
  return descriptorFrom(where, [use] { return openDiagDescriptor(use); }).and_then(NetlinkSocket::adopt);
}

Expected<OwnedDescriptor, NetlinkError> openInNamespace(const NetworkNamespace& where, const char* file) {
  const auto openFile = [file]() -> Expected<int, NetlinkError> {
    const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return Unexpected<NetlinkError>(netlinkError(Attempt::open, errno));
    return descriptor;
  };
  return descriptorFrom(where, openFile).map([](int descriptor) { return OwnedDescriptor(descriptor); });
}

SockDiagAccess sockDiagAccessIn(const NetworkNamespace& where) {
  return {[where] { return openInNamespace(where, DiagSocketUse::requests); },
          [where] { return openInNamespace(where, DiagSocketUse::destroyEvents); }, monotonicNow};
}

}  // namespace tcpscope
