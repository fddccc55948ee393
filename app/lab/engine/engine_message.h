// Messages between owner, engine and path process: each is one packet of a local socket, which may carry descriptors.
//
// Both ends are the same executable, so that plain values travel as they lie in memory. A packet that is too short or
// too long reads as a failure, never beyond its end.
#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"

namespace tcpscope::lab {

enum class MessageKind : std::uint8_t {
  /// Owner to engine: the scenario's text. Descriptors: the path process's end of its channel; one file a host for what
  /// passes its device, or none.
  start,
  /// Engine to owner, one a host: frames and requests of its agent as descriptors.
  agent,
  /// Engine to owner: everything runs. Descriptors: transfer table, path log.
  ready,
  /// To the owner: a LabError.
  failed,
  /// Owner to path process: the text of a scenario with the new path; answered by `done`.
  change,
  done,
  /// Owner to path process; answered by `pathReport`.
  askReport,
  pathReport,
  /// Owner to engine: capture what passes a host's devices. Descriptor: the stream for the capture, whose end asks for
  /// the capture's end. Answered by `capturing` or `captureFailed`.
  capture,
  capturing,
  /// A LiveCaptureError.
  captureFailed,
};

/// Puts values behind each other; the reader below takes them in the same order.
class MessageWriter {
public:
  explicit MessageWriter(MessageKind kind) { value(kind); }

  template <class T>
  void value(const T& plain) {
    static_assert(std::is_trivially_copyable_v<T>);
    m_bytes.append(reinterpret_cast<const char*>(&plain), sizeof plain);
  }
  template <class T>
  void value(const std::optional<T>& perhaps) {
    value(static_cast<std::uint8_t>(perhaps ? 1 : 0));
    if (perhaps) value(*perhaps);
  }
  void value(const std::string& text) {
    value(text.size());
    m_bytes += text;
  }
  void value(const UntrustedText& text) { value(text.rawBytes()); }

  /// The rest of the message, without a length.
  void text(std::string_view rest) { m_bytes += rest; }

  template <class... Values>
  void operator()(const Values&... values) {
    (value(values), ...);
  }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
  std::string m_bytes;
};

class MessageReader {
public:
  explicit MessageReader(std::string_view bytes) : m_rest(bytes) {}

  template <class T>
  void value(T& plain) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (const std::string_view bytes = take(sizeof plain); !m_failed) std::memcpy(&plain, bytes.data(), sizeof plain);
  }
  template <class T>
  void value(std::optional<T>& perhaps) {
    std::uint8_t isThere = 0;
    value(isThere);
    m_failed = m_failed || isThere > 1;
    perhaps.reset();
    if (!m_failed && isThere == 1) value(perhaps.emplace());
  }
  void value(std::string& text) {
    std::size_t length = 0;
    value(length);
    text = std::string(take(length));
  }
  void value(UntrustedText& text) {
    std::string bytes;
    value(bytes);
    text = UntrustedText(std::move(bytes));
  }

  template <class... Values>
  void operator()(Values&... values) {
    (value(values), ...);
  }
  /// Of things of which each takes at least one byte; 0 where there cannot be so many.
  std::size_t count() {
    std::size_t things = 0;
    value(things);
    m_failed = m_failed || things > m_rest.size();
    return m_failed ? 0 : things;
  }
  /// Nothing was missing so far.
  [[nodiscard]] bool isGood() const { return !m_failed; }

private:
  std::string_view take(std::size_t length) {
    if (m_failed || length > m_rest.size()) {
      m_failed = true;
      return {};
    }
    const std::string_view taken = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    return taken;
  }

  std::string_view m_rest;
  bool m_failed = false;
};

struct Message {
  std::string bytes;
  std::vector<OwnedDescriptor> descriptors;
};

/// Two connected ends, which packets pass whole; the error is errno.
Expected<std::pair<OwnedDescriptor, OwnedDescriptor>, int> openMessageChannel();

/// Waits until the peer can receive; the error is errno, EPIPE if the peer has closed the socket.
Expected<void, int> sendMessage(int channel, const MessageWriter& message, std::span<const int> descriptors = {});

/// The next packet; the error is errno: ETIMEDOUT where none comes in time, EPIPE where the other end is gone.
Expected<Message, int> receiveMessage(int channel, Milliseconds timeout);

}  // namespace tcpscope::lab
