#include "app/cli/capture_faults.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>

#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {

namespace {

ExitCode codeOf(const CaptureFault& fault) {
  if (fault.kind == CaptureFaultKind::openFailed) {
    if (fault.errorNumber == ENOENT) return ExitCode::notThere;
    return fault.errorNumber == EACCES || fault.errorNumber == EPERM ? ExitCode::missingRight : ExitCode::systemFailed;
  }
  const bool isSystem = fault.kind == CaptureFaultKind::readFailed && fault.errorNumber != EISDIR;
  return isSystem ? ExitCode::systemFailed : ExitCode::badInput;
}

/// Damage that ended the reading of a file before its end.
std::optional<CaptureGap> earlyEnd(const CapturedFile& file) {
  if (file.format == FileFormat::unknown) return std::nullopt;
  for (const CaptureGap& gap : gapsOf(file)) {
    const bool isFault = gap.kind < CaptureGapKind::otherProtocol;
    if (isFault && gap.kind != CaptureGapKind::lostPackets && gap.kind != CaptureGapKind::unknownInterface) return gap;
  }
  return std::nullopt;
}

}  // namespace

std::string nameOf(const CapturedFile& file) {
  return file.name.rawBytes() == "-" ? std::string("standard input") : "'" + forTerminal(file.name) + "'";
}

ExitCode failRefused(const CaptureFault& fault, const UntrustedText& name) {
  return fail(codeOf(fault), refusal(fault, name));
}

ExitCode reportEarlyEnd(const CapturedFile& file) {
  const auto end = earlyEnd(file);
  if (!end) return ExitCode::done;
  return fail(ExitCode::badInput,
              fmt::format("{}: {} Copy it again from its source to analyze the rest.", nameOf(file), sentence(*end)));
}

ExitCode failWithoutConnections(const std::string& names, std::uint64_t packets) {
  return fail(ExitCode::notThere,
              fmt::format("no TCP connections in {}: {} read, none of them usable as TCP; check the interface and the "
                          "filter of the capture",
                          names, countOfPackets(packets)));
}

}  // namespace tcpscope
