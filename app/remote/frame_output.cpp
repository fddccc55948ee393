#include "app/remote/frame_output.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace tcpscope {

namespace {

mode_t typeOf(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

}  // namespace

FrameOutput::FrameOutput(int descriptor) : m_descriptor(descriptor) {
  const mode_t type = typeOf(descriptor);
  m_kind = type == S_IFSOCK ? Kind::socket : type == S_IFREG ? Kind::file : Kind::pipe;
}

bool FrameOutput::isReady() const {
  if (m_kind != Kind::pipe) return true;
  pollfd entry{m_descriptor, POLLOUT, 0};
  return poll(&entry, 1, 0) > 0;
}

bool FrameOutput::flush() {
  while (waiting() > 0 && m_errorNumber == 0 && isReady()) {
    const std::byte* from = m_bytes.data() + m_written;
    const std::size_t size = m_kind == Kind::pipe ? std::min<std::size_t>(waiting(), PIPE_BUF) : waiting();
    const ssize_t taken = m_kind == Kind::socket ? ::send(m_descriptor, from, size, MSG_DONTWAIT | MSG_NOSIGNAL)
                                                 : ::write(m_descriptor, from, size);
    if (taken >= 0) {
      m_written += static_cast<std::size_t>(taken);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      m_errorNumber = errno;
    }
  }
  if (m_written == m_bytes.size()) {
    m_bytes.clear();
    m_written = 0;
    // What a stalled reader made it grow to is not needed again soon.
    if (m_bytes.capacity() > kMaxWaiting / 4) std::vector<std::byte>().swap(m_bytes);
  } else if (m_written > kMaxWaiting / 4) {
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_written));
    m_written = 0;
  }
  return m_errorNumber == 0;
}

}  // namespace tcpscope
