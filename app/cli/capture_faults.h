// What is wrong with a capture, as the commands that read one say it: each in one line on standard error.
#pragma once

#include <string>

#include "app/cli/exit_code.h"
#include "core/session/capture/captured_file.h"

namespace tcpscope {

/// Of a file that gave nothing: why not.
ExitCode failRefused(const CaptureFault& fault, const UntrustedText& name);
/// Where damage ended the reading of the file before its end; else `done`, and no line.
ExitCode reportEarlyEnd(const CapturedFile& file);
/// `names`: of one file in quotes, or how many there are.
ExitCode failWithoutConnections(const std::string& names, std::uint64_t packets);
/// In quotes and escaped for a terminal, or "standard input".
std::string nameOf(const CapturedFile& file);

}  // namespace tcpscope
