#include "app/lab/traffic/receiving_stream.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "app/lab/traffic/starved_process.h"
#include "app/lab/traffic/traffic_socket.h"

namespace tcpscope::lab {

namespace {

constexpr std::uint64_t kAllThatComes = 1U << 20;
/// Before other connections of the program get their turn.
constexpr int kReadsAtATime = 16;
constexpr std::uint64_t kReadByAStarvedReader = 65536;
/// A quarter of a processor at 100 Mbit/s.
constexpr Nanoseconds kWorkOnAByte{20};
constexpr std::uint64_t kLargestAnswer = 65536;

bool isRequestResponse(const TrafficSettings& settings) {
  return settings.kind == TrafficKind::requestResponse;
}

std::uint64_t answerSize(const TrafficSettings& settings) {
  return std::max<std::uint64_t>(settings.readSize.value_or(Bytes{1}).value(), 1);
}

}  // namespace

ReceivingStream::ReceivingStream(const TrafficPlan& plan, TransferSlot& slot, EventLoop& loop, OwnedDescriptor socket)
    : m_settings(plan.settings),
      m_slot(slot),
      m_loop(loop),
      m_socket(std::move(socket)),
      m_leftOfGreeting(plan.settings.greeting.value()) {
  watch();
}

void ReceivingStream::watch() {
  m_loop.watch(m_socket.get(), m_leftOfAnswers > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN, *this);
}

void ReceivingStream::due() {
  if (!m_socket) return;
  if (!m_isWorking) return watch();
  m_isWorking = false;
  --m_requests;
  m_leftOfAnswers += answerSize(m_settings);
  answer();
  if (m_socket) work();
}

void ReceivingStream::ready() {
  if (m_leftOfAnswers > 0) answer();
  if (m_socket) read();
}

void ReceivingStream::read() {
  const bool isSlow = m_settings.readSize && !isRequestResponse(m_settings);
  const std::uint64_t most = m_settings.starvedReader ? kReadByAStarvedReader : kAllThatComes;
  const std::uint64_t size = isSlow ? std::max<std::uint64_t>(m_settings.readSize->value(), 1) : most;
  for (int reads = 0; reads < kReadsAtATime; ++reads) {
    // Without a copy: the bytes are not used.
    const ssize_t taken = recv(m_socket.get(), nullptr, size, MSG_TRUNC);
    if (taken < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (taken <= 0) return end();
    if (m_settings.starvedReader) compute(taken * kWorkOnAByte);
    took(static_cast<std::uint64_t>(taken));
    if (!m_socket) return;
    if (m_settings.readRest.count() > 0 && !isRequestResponse(m_settings)) {
      m_loop.watch(m_socket.get(), 0, *this);
      return m_loop.wakeAt(trafficClock() + m_settings.readRest, *this);
    }
  }
}

void ReceivingStream::took(std::uint64_t bytes) {
  // A clamp that the kernel does not take ends the connection: nothing else is measured in its place.
  const auto& clamp = m_settings.lateWindowClamp;
  if (clamp && m_received == 0 && !clampWindow(m_socket.get(), *clamp)) return end();
  m_received += bytes;
  m_slot.receivedBytes = m_received;
  if (m_settings.bytes && m_received >= m_settings.bytes->value() && m_slot.endedAt == 0) {
    m_slot.endedAt = trafficClock().nanoseconds();
  }
  if (isRequestResponse(m_settings)) takeRequests(bytes);
}

void ReceivingStream::takeRequests(std::uint64_t bytes) {
  const std::uint64_t requestSize = std::max<std::uint64_t>(m_settings.writeSize.value(), 1);
  const std::uint64_t ofGreeting = std::min(bytes, m_leftOfGreeting);
  m_leftOfGreeting -= ofGreeting;
  m_ofRequest += bytes - ofGreeting;
  m_requests += m_ofRequest / requestSize;
  m_ofRequest %= requestSize;
  work();
}

void ReceivingStream::work() {
  if (m_isWorking || m_requests == 0) return;
  if (m_settings.answerTime.count() > 0) {
    m_isWorking = true;
    return m_loop.wakeAt(trafficClock() + m_settings.answerTime, *this);
  }
  m_leftOfAnswers += std::exchange(m_requests, 0) * answerSize(m_settings);
  answer();
}

void ReceivingStream::answer() {
  static const std::vector<char> kZeros(kLargestAnswer);
  while (m_leftOfAnswers > 0) {
    const ssize_t written =
        send(m_socket.get(), kZeros.data(), std::min(m_leftOfAnswers, kLargestAnswer), MSG_NOSIGNAL);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (written < 0) return end();
    m_leftOfAnswers -= static_cast<std::uint64_t>(written);
  }
  watch();
}

void ReceivingStream::end() {
  if (m_slot.endedAt == 0) m_slot.endedAt = trafficClock().nanoseconds();
  m_loop.watch(m_socket.get(), 0, *this);
  m_socket.reset();
}

}  // namespace tcpscope::lab
