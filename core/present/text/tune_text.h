// A connection's socket options in words: what each does, its value, the result of a change, and why one cannot be
// made.
#pragma once

#include <string>
#include <string_view>

#include "core/changes/tune_error.h"
#include "core/changes/tune_report.h"

namespace tcpscope {

/// What the option does, in a few words.
std::string_view explanation(SocketOption option);
/// "4.00 MiB", "100 Mbit/s", "on", "unlimited"; of a congestion control its name.
std::string valueText(SocketOption option, const OptionValue& value);
/// "4.00 KiB to 512 MiB", "8.00 kbit/s to 8.00 Tbit/s, or unlimited".
std::string rangeText(const SocketOptionRow& row);
/// "the program", "the kernel"; empty where it is not known.
std::string_view phrase(OptionSetter setter);
/// Whether it can be changed while the connection lives, and why not.
std::string_view phrase(Changeable changeable);
std::string sentence(const TuneNote& note, const TuneReport& report);
/// Why an undo left it alone.
std::string sentence(const RecordedOption& leftAlone, const OptionValues& now);
/// One line: what happened, why, what to do next. `asRoot` is the command to copy where a right is missing.
std::string sentence(const TuneError& error, std::string_view asRoot);

}  // namespace tcpscope
