#include "app/remote/request_stream.h"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace tcpscope {

namespace {

/// Intervals shorter than these are not served.
constexpr Milliseconds kShortestList{10};
constexpr Microseconds kShortestFocus{1000};

bool hasBytes(int descriptor) {
  pollfd entry{descriptor, POLLIN, 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

RequestStream::RequestStream(int descriptor, FrameOutput& output, std::stop_source& stop, const CollectorRequest& first)
    : m_descriptor(descriptor),
      m_output(output),
      m_stop(stop),
      m_epoll(epoll_create1(EPOLL_CLOEXEC)),
      m_request(first) {
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  if (!m_epoll) {
    m_errorNumber = errno;
  } else if (epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, descriptor, &wanted) != 0) {
    // What cannot be waited for, a file or the null device, will never ask for more.
    if (errno == EPERM) m_stop.request_stop();
    if (errno != EPERM) m_errorNumber = errno;
  }
  wanted.events = 0;
  // A file cannot be waited for, and need not. Without events it still wakes when the reader is gone.
  m_pollsOutput = epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, output.descriptor(), &wanted) == 0;
}

void RequestStream::watchOutput() {
  const bool hasOutput = m_output.waiting() > 0;
  if (!m_pollsOutput || hasOutput == m_watchesOutput) return;
  epoll_event wanted{};
  wanted.events = hasOutput ? static_cast<std::uint32_t>(EPOLLOUT) : 0U;
  if (epoll_ctl(m_epoll.get(), EPOLL_CTL_MOD, m_output.descriptor(), &wanted) == 0) m_watchesOutput = hasOutput;
}

CollectorRequest RequestStream::take() {
  if (hasBytes(m_descriptor)) readRequests();
  pollfd reader{m_output.descriptor(), 0, 0};
  const bool isGone = m_pollsOutput && poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)) != 0;
  if (isGone || !m_output.flush()) m_stop.request_stop();
  watchOutput();
  return m_request;
}

void RequestStream::readRequests() {
  std::array<std::byte, 4096> bytes;
  const ssize_t count = ::read(m_descriptor, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    m_stop.request_stop();
    return;
  }
  m_reader.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
  while (const std::optional<TraceValue> value = m_reader.next()) accept(*value);
}

void RequestStream::accept(const TraceValue& value) {
  if (const auto* interval = std::get_if<IntervalRequest>(&value)) {
    m_request.listInterval = std::max(interval->list, kShortestList);
    m_request.focusInterval = std::max(interval->focus, kShortestFocus);
  } else if (const auto* filter = std::get_if<FilterRequest>(&value)) {
    // A text that this version does not understand leaves nothing out.
    const auto parsed = ConnectionFilter::parse(filter->text);
    m_request.stateMask = filter->stateMask;
    m_request.filter = parsed ? parsed->root() : nullptr;
  } else if (const auto* focus = std::get_if<FocusRequest>(&value)) {
    m_request.focus = focus->socket;
    if (m_request.focus && focus->networkNamespace) {
      m_request.focus->id.place = placeOfNamespace(m_request.focus->id.place, *focus->networkNamespace);
    }
  } else if (std::holds_alternative<StopRequest>(value)) {
    m_stop.request_stop();
  }
}

}  // namespace tcpscope
