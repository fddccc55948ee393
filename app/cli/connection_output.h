// A connection as text: the line that names it, and of each side verdict, evidence, limits, bounds and findings. For
// what diagnoses sockets and for what diagnoses captures.
#pragma once

#include "app/cli/text_output.h"
#include "core/diagnosis/connection_diagnosis.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Text with the escape sequences of a terminal, or without.
class Style {
public:
  explicit Style(bool color) : m_color(color) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("\x1b[1m", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("\x1b[2m", text); }
  [[nodiscard]] std::string severity(FindingSeverity severity) const { return colored(severity, name(severity)); }
  /// In the colour of the severity.
  [[nodiscard]] std::string colored(FindingSeverity severity, std::string_view text) const;

private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;
  bool m_color;
};

template <class... Values>
void line(TextBuffer& out, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Values>(values)...);
  out.push_back('\n');
}

/// A line of a block: its title once, then its text, broken where the terminal ends.
void appendItem(TextBuffer& out, std::string_view title, std::string_view text);
/// The same in one line however long: to copy.
void appendCommand(TextBuffer& out, std::string_view title, std::string_view text);

/// The verdict with its confidence and its evidence.
void appendVerdict(TextBuffer& out, const SideDiagnosis& side, const Style& style);
/// Everything but the side's name and rate.
void appendDiagnosis(TextBuffer& out, const SideDiagnosis& side, const Style& style);

/// Ends, state, congestion control and owner; of several places also which.
void appendConnectionName(TextBuffer& out, const ConnectionDetail& detail, const std::vector<Place>& places,
                          const Style& style);

/// "  Tx 12.0 Mbit/s"
void appendSideName(TextBuffer& out, const SideDiagnosis& side);

/// Lost input, and how many quiet connections were left out.
void appendLeftOut(TextBuffer& out, const std::vector<CollectionGap>& gaps,
                   const std::vector<std::shared_ptr<const ConnectionDetail>>& details);

/// "2026-01-02 03:04:05.678 UTC"
std::string timeText(WallTime time);

// Cells of lines, one a connection; "-" where it is not known.
std::string rateText(float bitsPerSecond);
/// The network namespace of a place; "-" where it has left.
std::string namespaceText(const std::vector<Place>& places, PlaceId id);
/// The first letters of its name, and its PID.
std::string processText(const Owner* owner);

}  // namespace tcpscope
