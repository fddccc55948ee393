// A connection of a running program whose socket options administrators change, and what has to be true of it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/changes/execute/option_changer.h"
#include "app/changes/execute/socket_options.h"
#include "app/changes/journal/option_journal.h"
#include "tests/kill/stepped_clock.h"
#include "tests/support/socket_owner.h"

namespace tcpscope {

/// Each line is of one option or of options that belong together: a change takes one of it.
inline const std::array<std::vector<std::string>, 6> kOptionChanges = {{
    {"SO_SNDBUF=512KiB", "SO_SNDBUF=1MiB"},
    {"SO_RCVBUF=256KiB", "SO_RCVBUF=1MiB"},
    // Together they would be watched for a second.
    {"TCP_WINDOW_CLAMP=32KiB", "SO_BUF_LOCK=none"},
    {"TCP_NODELAY=on"},
    {"TCP_USER_TIMEOUT=30s", "TCP_USER_TIMEOUT=40s"},
    {"SO_KEEPALIVE=on"},
}};

class TunedConnection {
public:
  TunedConnection(std::filesystem::path folder, const std::string& bootId, const SteppedClock& clock)
      : m_folder(std::move(folder)),
        m_key(tuneKeyOf(m_program.connection(), bootId, "/proc/self/ns/net").value()),
        m_clocks(clock.clocks()) {
    if (const auto socket = open()) m_originals = readSocketOptions(socket->get());
  }

  /// False where this process may not reach into another one.
  [[nodiscard]] bool isReachable() const { return open().has_value(); }
  [[nodiscard]] bool isClosed() const { return m_isClosed; }
  [[nodiscard]] OptionChanger changer() const {
    OptionChanger::Parts parts;
    parts.open = [this] { return open(); };
    parts.key = m_key;
    parts.folder = m_folder;
    parts.inode = m_program.connection().inode;
    parts.now = m_clocks.boot;
    return OptionChanger(std::move(parts));
  }
  void close() {
    if (!std::exchange(m_isClosed, true)) m_program.closeConnection();
  }
  /// As the program itself does, at any time.
  void setUserTimeout(int milliseconds) {
    if (m_isClosed) return;
    m_program.setOption(IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds);
    m_programsTimeouts.push_back(static_cast<std::uint64_t>(milliseconds));
  }

  /// The fault, or nothing: each option has its original value, the program's, or the one of the record, and the record
  /// has no value that is not in force. `end` is the kind of end state. Where an undo may have been interrupted, a
  /// value that is back may still be recorded.
  [[nodiscard]] std::string unexplained(std::string& end, bool mayBeInterrupted) const {
    changer().settle();
    // Locked, so that no timer changes anything meanwhile.
    const auto journal = OptionJournal::open(m_folder, m_key);
    if (!journal) return "the journal of the options cannot be opened";
    const auto record = journal->load();
    if (!record) {
      std::ostringstream text;
      text << std::ifstream(m_folder / m_key.fileName()).rdbuf();
      return fmt::format("the record of the options is not whole: errno {}, '{}'", record.error().errorNumber,
                         text.str());
    }
    end = endOf(*record);
    const auto socket = open();
    if (!socket) return m_isClosed ? "" : "the connection cannot be reached";
    const OptionValues now = readSocketOptions(socket->get());
    for (const SocketOptionRow& row : socketOptions()) {
      const RecordedOption* const entry = *record ? (*record)->find(row.id) : nullptr;
      if (isOriginal(row.id, now) || isOfProgram(row.id, now)) {
        const bool isInForce =
            entry == nullptr || !entry->after || entry->after == now[row.id] || isAutomatic(row.id, now);
        if (!isInForce && !mayBeInterrupted && !isOfProgram(row.id, now))
          return fmt::format("{} is back and still recorded", row.name);
        continue;
      }
      if (entry == nullptr) return fmt::format("{} is {}, unexplained", row.name, now.number(row.id));
      if (entry->after && entry->after != now[row.id]) {
        return fmt::format("{} is {} instead of {}", row.name, now.number(row.id), entry->after->number);
      }
    }
    return "";
  }

  /// The fault, or nothing: an undo restores every original, and the next change works.
  [[nodiscard]] std::string notRestored() const {
    const auto undone = changer().undo();
    if (m_isClosed) return undone ? "the options of a closed connection were undone" : "";
    if (!undone && undone.error().kind != TuneErrorKind::nothingToUndo) return "the options cannot be undone";
    const auto shown = changer().show();
    if (!shown) return "the connection cannot be shown";
    for (const SocketOptionRow& row : socketOptions()) {
      if (isOriginal(row.id, shown->values) || isOfProgram(row.id, shown->values)) continue;
      return fmt::format("{} stays {}", row.name, shown->values.number(row.id));
    }
    if (!shown->record.options.empty() && m_programsTimeouts.empty()) return "the record of the options stays";
    if (!changer().tune({{SocketOption::noDelay, {1, {}}}})) return "the next change of options is refused";
    return changer().undo() ? "" : "the next change of options cannot be undone";
  }

private:
  static constexpr int kSendBufferBytes = 65'536;

  [[nodiscard]] Expected<OwnedDescriptor, TuneError> open() const {
    return openConnection(m_program.pid(), m_program.connection());
  }
  /// The kernel's own to change; what it grew is not taken back.
  [[nodiscard]] static bool isAutomatic(SocketOption option, const OptionValues& now) {
    const std::uint64_t locks = now.number(SocketOption::bufferLock);
    if (option == SocketOption::sendBuffer) return (locks & kSendBufferLock) == 0;
    const bool isOfReceiving = option == SocketOption::receiveBuffer || option == SocketOption::windowClamp;
    return isOfReceiving && (locks & kReceiveBufferLock) == 0;
  }
  [[nodiscard]] bool isOriginal(SocketOption option, const OptionValues& now) const {
    if (isAutomatic(option, now)) return now.number(option) >= m_originals.number(option);
    return now[option] == m_originals[option];
  }
  [[nodiscard]] bool isOfProgram(SocketOption option, const OptionValues& now) const {
    return option == SocketOption::userTimeout && std::find(m_programsTimeouts.begin(), m_programsTimeouts.end(),
                                                            now.number(option)) != m_programsTimeouts.end();
  }
  [[nodiscard]] std::string endOf(const std::optional<TuneRecord>& record) const {
    if (m_isClosed) return record ? "closed with a record" : "closed";
    if (!record) return "untouched";
    const bool isInterrupted = std::any_of(record->options.begin(), record->options.end(),
                                           [](const RecordedOption& option) { return !option.after; });
    if (isInterrupted) return "interrupted";
    return record->trial ? "on trial" : "kept";
  }

  test::SocketOwner m_program{kSendBufferBytes};
  std::filesystem::path m_folder;
  TuneKey m_key;
  ChangeClocks m_clocks;
  OptionValues m_originals;
  std::vector<std::uint64_t> m_programsTimeouts;
  bool m_isClosed = false;
};

}  // namespace tcpscope
