// What one end of a connection acknowledges and advertises: its window, and acknowledgments that repeat themselves.
//
// Works on the window as it stands on the wire, so that a scale which is learned later holds for all of it.
#pragma once

#include <optional>

#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

/// An acknowledgment by the end that sends it; SYN and RST, whose windows mean something else, are none.
struct OwnAcknowledgment {
  std::uint32_t number = 0;
  std::uint16_t window = 0;
  /// Neither payload nor FIN, and no probe.
  bool isPure = false;
  /// Reports blocks that arrived.
  bool hasSack = false;
  /// The other end waits for acknowledgments.
  bool isAwaited = false;
  /// Comes right after the other end's keep-alive or probe.
  bool answersProbe = false;
};

class WindowTracker {
public:
  /// Is it a duplicate acknowledgment? RFC 5681 §2 asks for data in flight; one that carries SACK blocks
  /// already says that something arrived.
  bool take(const OwnAcknowledgment& own);
  /// What was advertised so far belongs to an older connection.
  void restart() { m_hasWindow = false; }
  /// Does an acknowledgment of this number say nothing that the newest does not say, its window aside?
  [[nodiscard]] bool isRepeated(std::uint32_t number) const { return m_hasWindow && !isBefore(m_number, number); }
  [[nodiscard]] bool isNewest(std::uint32_t number) const { return m_hasWindow && m_number == number; }
  [[nodiscard]] bool isClosed() const { return m_hasWindow && m_window == 0; }
  /// As on the wire, without scale; nothing before the first.
  [[nodiscard]] std::optional<std::uint16_t> newest() const {
    return m_hasWindow ? std::optional(m_window) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint16_t> smallest() const;
  [[nodiscard]] std::optional<std::uint16_t> largest() const;

  ReceptionCounts counts;

private:
  std::uint32_t m_number = 0;
  std::uint16_t m_window = 0;
  std::uint16_t m_smallest = 0;
  std::uint16_t m_largest = 0;
  bool m_hasWindow = false;
};

}  // namespace tcpscope
