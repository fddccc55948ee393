// Writes reports of what is shown. All calls return at once and come from the GUI thread; the outcome is in the
// state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/untrusted_text.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// What its author adds to a report.
struct ReportLetterhead {
  UntrustedText customer{};
  UntrustedText author{};
  UntrustedText ticket{};
  /// Path of a PNG file; empty for none.
  std::string logo{};
};

struct ReportRequest {
  /// Its extension gives the format: .html, .pdf, .md or .json. An existing file is replaced.
  std::string path;
  std::shared_ptr<const SessionSnapshot> snapshot;
  /// Of the snapshot.
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  /// Placeholders for addresses and names.
  bool isAnonymous = false;
  /// Two pages for each connection, without the appendix; not of .json.
  bool isBrief = false;
  ReportLetterhead letterhead{};
};

enum class ReportPhase : std::uint8_t { none, writing, written, failed };

struct ReportState {
  ReportPhase phase = ReportPhase::none;
  /// Of the file, escaped.
  std::string name;
  std::uint64_t bytes = 0;
  /// Failed: what happened, why, what to do.
  std::string notice;
  /// To be opened; empty where nothing was written.
  std::string path;
};

class ReportPort {
public:
  ReportPort() = default;
  ReportPort(const ReportPort&) = delete;
  ReportPort& operator=(const ReportPort&) = delete;
  virtual ~ReportPort() = default;

  /// Behind those that are being written. The state is the newest one's, but an earlier one that fails meanwhile comes
  /// first and stays until it is forgotten.
  virtual void write(ReportRequest request) = 0;
  /// Drops the state of the reports that are done.
  virtual void forget() = 0;
  [[nodiscard]] virtual ReportState state() = 0;
};

}  // namespace tcpscope
