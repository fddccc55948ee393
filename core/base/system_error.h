// A call of the operating system that failed: what was attempted, on what, and the errno. The sentence is made in
// core/present/text/error_text.h.
#pragma once

#include <cstdint>

#include "core/base/untrusted_text.h"

namespace tcpscope {

enum class SystemAttempt : std::uint8_t {
  openWakeDescriptor,
  startThread,
  /// A network namespace named by the user, by name or process.
  openNamespace,
  enterNamespace,
  openSocketDiagnosis,
  listSockets,
  writeOutput,
  /// To hear from an agent: 0 as the number where it spoke and was not understood.
  reachAgent,
  /// As reachAgent, of a host that is looked at through its `ss`.
  pollWithSs,
  /// As reachAgent, of an agent that is copied there first: ENOEXEC where the machine is another, EBADMSG where the
  /// copy arrived damaged, ENOENT where there is nothing here to copy.
  copyAgent,
  openRecording,
  /// 0 as the number where the bytes are no recording.
  readRecording,
  writeRecording,
  /// To send a packet to another host.
  probePath,
  writeReport,
};

struct SystemError {
  SystemAttempt attempt = SystemAttempt::listSockets;
  /// 0 where the call gave none.
  int errorNumber = 0;
  /// What it was attempted on: a namespace's name, a file. Empty where there is nothing to name.
  UntrustedText object;
};

}  // namespace tcpscope
