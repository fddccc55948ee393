#include "collectors/pcap/input_window.h"

#include <algorithm>
#include <cstring>

namespace tcpscope {

namespace {

constexpr std::size_t kWindowBytes = 64U << 10U;
/// Behind a jump: the next one may follow soon.
constexpr std::size_t kStepBehindJump = 4U << 10U;

}  // namespace

InputWindow::InputWindow(ByteSource& source) : m_source(source), m_buffer(kWindowBytes), m_step(kWindowBytes) {}

bool InputWindow::jumpTo(std::uint64_t offset) {
  if (offset >= m_offset && offset <= endOffset()) {
    take(static_cast<std::size_t>(offset - m_offset));
    return true;
  }
  m_begin = m_end = 0;
  m_offset = offset;
  m_step = kStepBehindJump;
  m_fault.reset();
  m_isAtEnd = !m_source.seek(offset);
  return !m_isAtEnd;
}

void InputWindow::fill(std::size_t size) {
  if (m_isAtEnd) return;
  std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
  m_end -= m_begin;
  m_begin = 0;
  if (size > m_buffer.size()) m_buffer.resize(size);
  while (m_end < size && !m_isAtEnd) {
    const std::size_t wanted = std::max(size - m_end, m_step);
    const auto count = m_source.read(std::span(m_buffer).subspan(m_end, std::min(wanted, m_buffer.size() - m_end)));
    m_step = std::min(2 * m_step, kWindowBytes);
    if (!count) m_fault = count.error();
    m_isAtEnd = !count || *count == 0;
    if (count) m_end += *count;
  }
}

bool InputWindow::skip(std::uint64_t size) {
  while (size > 0) {
    const std::size_t here = ahead(1).size();
    if (here == 0) return false;
    const std::size_t step = size < here ? static_cast<std::size_t>(size) : here;
    take(step);
    size -= step;
  }
  return true;
}

std::size_t InputWindow::read(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::span<const std::byte> here = ahead(1);
    if (here.empty()) break;
    const std::size_t step = std::min(here.size(), out.size() - done);
    std::memcpy(out.data() + done, here.data(), step);
    take(step);
    done += step;
  }
  return done;
}

}  // namespace tcpscope
