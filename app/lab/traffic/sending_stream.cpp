#include "app/lab/traffic/sending_stream.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <vector>

#include "app/lab/traffic/traffic_socket.h"

namespace tcpscope::lab {

namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kLargestWrite = 1U << 20;
/// Before other connections of the program get their turn.
constexpr int kWritesAtATime = 16;

const std::vector<char>& zeros() {
  static const std::vector<char> bytes(kLargestWrite);
  return bytes;
}

bool hasFailed(int socket) {
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0;
}

bool writesInPortions(TrafficKind kind) {
  return kind == TrafficKind::requestResponse || kind == TrafficKind::pausing;
}

}  // namespace

SendingStream::SendingStream(const TrafficPlan& plan, TransferTable& table, EventLoop& loop, NextConnection next)
    : m_plan(plan), m_table(table), m_loop(loop), m_next(std::move(next)) {}

void SendingStream::due() {
  if (m_phase == Phase::idle) return connectNext();
  if (m_phase == Phase::resting) beginPortion();
}

void SendingStream::ready() {
  switch (m_phase) {
    case Phase::idle:
    case Phase::resting:
      return;
    case Phase::connecting:
      if (hasFailed(m_socket.get())) return endConnection();
      m_leftOfPortion = std::min(m_plan.settings.greeting.value(), m_leftOfAll);
      m_phase = Phase::greeting;
      return write();
    case Phase::greeting:
    case Phase::writing:
      return write();
    case Phase::awaitingAnswer:
      return readAnswer();
    case Phase::awaitingEnd:
      return awaitEnd();
  }
}

void SendingStream::connectNext() {
  const auto connection = m_next();
  if (!connection) return;
  auto socket = openSource(m_plan, *connection);
  if (!socket) return;
  m_socket = std::move(*socket);
  m_unanswered = 0;
  m_leftOfAll = m_plan.settings.bytes ? m_plan.settings.bytes->value() : kEndless;
  m_table.slot(m_plan.firstSlot + *connection).startedAt = trafficClock().nanoseconds();
  m_phase = Phase::connecting;
  if (!beginConnection(m_socket.get(), m_plan.destination)) return endConnection();
  m_loop.watch(m_socket.get(), EPOLLOUT, *this);
}

void SendingStream::beginPortion() {
  if (m_plan.settings.kind == TrafficKind::silent) return awaitEnd();
  m_leftOfPortion = m_leftOfAll;
  if (writesInPortions(m_plan.settings.kind))
    m_leftOfPortion = std::min(m_leftOfAll, m_plan.settings.writeSize.value());
  m_phase = Phase::writing;
  m_loop.watch(m_socket.get(), EPOLLOUT, *this);
}

std::uint64_t SendingStream::chunk() const {
  const std::uint64_t calls = m_plan.settings.writesPerRequest;
  const std::uint64_t asked = std::max<std::uint64_t>((m_plan.settings.writeSize.value() + calls - 1) / calls, 1);
  return std::min({m_leftOfPortion, asked, kLargestWrite});
}

void SendingStream::write() {
  for (int writes = 0; m_leftOfPortion > 0 && writes < kWritesAtATime; ++writes) {
    const ssize_t written = send(m_socket.get(), zeros().data(), chunk(), MSG_NOSIGNAL);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (written < 0) return endConnection();
    const auto bytes = static_cast<std::uint64_t>(written);
    m_leftOfPortion -= m_leftOfPortion == kEndless ? 0 : bytes;
    m_leftOfAll -= m_leftOfAll == kEndless ? 0 : bytes;
  }
  if (m_leftOfPortion > 0) return;
  if (m_phase == Phase::writing) return portionWritten();
  if (m_leftOfAll == 0) return finishWriting();
  beginPortion();
}

void SendingStream::portionWritten() {
  if (m_plan.settings.kind == TrafficKind::requestResponse) {
    if (++m_unanswered < m_plan.settings.requestsInFlight && m_leftOfAll > 0) return beginPortion();
    m_leftOfAnswer = std::max<std::uint64_t>(m_plan.settings.readSize.value_or(Bytes{1}).value(), 1);
    m_phase = Phase::awaitingAnswer;
    return m_loop.watch(m_socket.get(), EPOLLIN, *this);
  }
  rest();
}

void SendingStream::readAnswer() {
  while (m_leftOfAnswer > 0) {
    const ssize_t taken = recv(m_socket.get(), nullptr, std::min(m_leftOfAnswer, kLargestWrite), MSG_TRUNC);
    if (taken < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (taken <= 0) return endConnection();
    m_leftOfAnswer -= static_cast<std::uint64_t>(taken);
  }
  --m_unanswered;
  rest();
}

void SendingStream::rest() {
  if (m_leftOfAll == 0) return finishWriting();
  if (m_plan.settings.writeRest.count() <= 0 || !writesInPortions(m_plan.settings.kind)) return beginPortion();
  m_phase = Phase::resting;
  m_loop.watch(m_socket.get(), 0, *this);
  m_loop.wakeAt(trafficClock() + m_plan.settings.writeRest, *this);
}

void SendingStream::finishWriting() {
  shutdown(m_socket.get(), SHUT_WR);
  awaitEnd();
}

void SendingStream::awaitEnd() {
  m_phase = Phase::awaitingEnd;
  const ssize_t taken = recv(m_socket.get(), nullptr, kLargestWrite, MSG_TRUNC);
  if (taken > 0 || (taken < 0 && (errno == EAGAIN || errno == EINTR))) {
    return m_loop.watch(m_socket.get(), EPOLLIN, *this);
  }
  endConnection();
}

void SendingStream::endConnection() {
  m_loop.watch(m_socket.get(), 0, *this);
  m_socket.reset();
  m_phase = Phase::idle;
  // A refused or broken connection is not retried: its record shows that it did not end.
  m_loop.wakeAt(trafficClock(), *this);
}

}  // namespace tcpscope::lab
