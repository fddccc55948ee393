#include "app/probe/probe_control.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// Until the socket is ready for `events`.
Expected<void, ProbeError> await(int socket, int wakeDescriptor, short events, Moment deadline) {
  while (true) {
    const Nanoseconds left = std::max(deadline - monotonicNow(), Nanoseconds(0));
    const auto milliseconds = std::chrono::ceil<Milliseconds>(left).count();
    std::array<pollfd, 2> waiting = {{{socket, events, 0}, {wakeDescriptor, POLLIN, 0}}};
    const int ready =
        poll(waiting.data(), waiting.size(), static_cast<int>(std::min<std::int64_t>(milliseconds, 1000)));
    if (ready < 0 && errno != EINTR) return probeFailure(ProbeError::Kind::systemFailed, errno);
    if (waiting[1].revents != 0) return probeFailure(ProbeError::Kind::interrupted);
    if (waiting[0].revents != 0) return {};
    if (monotonicNow() >= deadline) return probeFailure(ProbeError::Kind::silent);
  }
}

}  // namespace

Expected<void, ProbeError> ProbeControl::send(const ProbeMessage& message) {
  constexpr Nanoseconds kAnswerTime = std::chrono::seconds(10);
  const Moment deadline = monotonicNow() + kAnswerTime;
  const std::string line = lineOf(message);
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t taken = ::send(m_socket.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken >= 0) {
      sent += static_cast<std::size_t>(taken);
    } else if (errno == EAGAIN) {
      if (auto ready = await(m_socket.get(), m_wakeDescriptor, POLLOUT, deadline); !ready) return ready;
    } else if (errno != EINTR) {
      return probeFailure(ProbeError::Kind::ended, errno);
    }
  }
  return {};
}

Expected<ProbeMessage, ProbeError> ProbeControl::receive(Moment deadline) {
  while (true) {
    const std::size_t end = m_received.find('\n');
    if (end != std::string::npos) {
      const auto message = parseProbeLine(std::string_view(m_received).substr(0, end));
      m_received.erase(0, end + 1);
      return message ? Expected<ProbeMessage, ProbeError>(*message) : probeFailure(ProbeError::Kind::notAProbe);
    }
    if (m_received.size() > kMostProbeLineBytes) return probeFailure(ProbeError::Kind::notAProbe);
    if (auto ready = await(m_socket.get(), m_wakeDescriptor, POLLIN, deadline); !ready) {
      return Unexpected<ProbeError>(ready.error());
    }
    std::array<char, 16384> bytes{};
    const ssize_t count = recv(m_socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0) return probeFailure(ProbeError::Kind::ended);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return probeFailure(ProbeError::Kind::ended, errno);
    if (count > 0) m_received.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace tcpscope
