// A process that this one starts: another program, or a function of this program in a forked child. It ends with the
// object, and is reaped: no zombie and no descriptor stays behind.
//
// A program is started without a shell and without fork(), so that a threaded process may start it, and it inherits no
// descriptor that is not named here. A forked child inherits all descriptors, but none of the other threads, which may
// have held any lock: in a threaded process its function makes system calls only.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectors/system/exit_status.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

/// Where a standard stream of the child leads.
class ChildStream {
public:
  enum class Kind : std::uint8_t { inherited, null, pipe, descriptor };

  static ChildStream inherited() { return {Kind::inherited, -1}; }
  /// /dev/null.
  static ChildStream null() { return {Kind::null, -1}; }
  /// A pipe, whose other end ChildProcess has.
  static ChildStream pipe() { return {Kind::pipe, 0}; }
  /// Both ends return EAGAIN instead of blocking: a child that writes more than fits loses it.
  static ChildStream nonBlockingPipe();
  /// A descriptor of the caller's, which stays the caller's.
  static ChildStream to(int descriptor) { return {Kind::descriptor, descriptor}; }

  [[nodiscard]] Kind kind() const { return m_kind; }
  [[nodiscard]] int pipeFlags() const { return m_number; }
  [[nodiscard]] int descriptor() const { return m_number; }

private:
  ChildStream(Kind kind, int number) : m_kind(kind), m_number(number) {}

  Kind m_kind;
  int m_number;
};

struct ChildCommand {
  /// The program, found by PATH unless it contains a slash, and its arguments.
  std::vector<std::string> arguments;
  /// The file to execute, where it is another than the name in `arguments`.
  std::string program = {};
  ChildStream input = ChildStream::inherited();
  ChildStream output = ChildStream::inherited();
  ChildStream errors = ChildStream::inherited();
  /// The child has these as 3, 4 and so on. They stay the caller's.
  std::vector<int> descriptors = {};
  /// "NAME=VALUE": added to this process's environment, or instead of what has the name there.
  std::vector<std::string> environment = {};
  /// A session of its own, without a controlling terminal.
  bool hasOwnSession = false;
  /// No signal is blocked or ignored, whatever the caller's are.
  bool hasDefaultSignals = false;
};

struct ChildError {
  int errorNumber = 0;
  /// Empty for a forked child.
  UntrustedText program;
};

class ChildProcess {
public:
  /// Fails where there is no such program or it may not be run, too.
  static Expected<ChildProcess, ChildError> start(const ChildCommand& command);
  /// Runs `work` in a child, whose exit code is what it returns. Destructors and exit handlers of the caller do not run
  /// there.
  static Expected<ChildProcess, ChildError> fork(const std::function<int()>& work);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills a process that still runs.
  ~ChildProcess();

  /// This process's ends of the streams that are pipes.
  OwnedDescriptor& input() { return m_pipes[0]; }
  OwnedDescriptor& output() { return m_pipes[1]; }
  OwnedDescriptor& errors() { return m_pipes[2]; }
  [[nodiscard]] const OwnedDescriptor& input() const { return m_pipes[0]; }
  [[nodiscard]] const OwnedDescriptor& output() const { return m_pipes[1]; }
  [[nodiscard]] const OwnedDescriptor& errors() const { return m_pipes[2]; }

  /// Nothing happens once it was reaped: its PID may be another's then.
  void signal(int number) const;
  /// Waits for its end as long as it takes.
  ExitStatus wait();
  /// Absent where it still runs after that time.
  std::optional<ExitStatus> waitFor(Nanoseconds timeout);
  /// SIGKILL. Waits a second at most for the end: a process that this one may not kill, as behind sudo, is left to
  /// init.
  ExitStatus kill();
  /// Leaves the running process to the caller, who reaps it.
  pid_t release();

private:
  ChildProcess() = default;

  std::optional<ExitStatus> reap(int options);

  /// -1 once it was reaped or released.
  pid_t m_process = -1;
  ExitStatus m_status;
  std::array<OwnedDescriptor, 3> m_pipes;
};

}  // namespace tcpscope
