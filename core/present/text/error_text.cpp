#include "core/present/text/error_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "core/base/escape.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

namespace {

std::string reason(const SystemError& error) {
  return error.errorNumber == 0 ? std::string("the system gave no reason")
                                : std::generic_category().message(error.errorNumber);
}

bool isMissingRight(const SystemError& error) {
  return error.errorNumber == EPERM || error.errorNumber == EACCES;
}

std::string namespaceSentence(const SystemError& error) {
  const std::string name = forTerminal(error.object);
  if (isMissingRight(error)) {
    return fmt::format(
        "no right to enter the network namespace '{}'; run the command as root, or as the owner of the namespace",
        name);
  }
  if (error.errorNumber == ENOENT || error.errorNumber == ESRCH || error.errorNumber == EINVAL) {
    return fmt::format(
        "there is no network namespace '{}': neither a name that 'ip netns list' shows nor the number of a running "
        "process; give one of these",
        name);
  }
  return fmt::format("cannot enter the network namespace '{}': {}; see 'tcpscope-cli doctor'", name, reason(error));
}

/// What these numbers of a start through ssh mean (app/remote/ssh_failure.h).
std::optional<std::string> sshSentence(int errorNumber, const std::string& host) {
  const std::string login = loginOf(host);
  switch (errorNumber) {
    case EINVAL:
      return fmt::format(
          "'{}' is not a host; use HOST, USER@HOST, HOST:PORT, HOST/NAMESPACE or a name of your "
          "~/.ssh/config",
          host);
    case EACCES:
      return fmt::format("'{0}' refused the login; see that 'ssh ssh://{0}' works in a terminal", login);
    case EKEYREJECTED:
      return fmt::format(
          "the key of the host '{0}' is not known, or another than before; look at it with "
          "'ssh ssh://{0}' in a terminal",
          login);
    case ENOPKG:
      return fmt::format(
          "'{}' has no tcpscope-cli; install the package tcpscope-cli there, look through its ss, or copy an agent for "
          "this session",
          host);
    case ENODEV:
      return fmt::format(
          "the network namespace of '{}' cannot be entered; check that 'ip netns' lists it there, and log in as root",
          host);
    case EADDRNOTAVAIL:
      return fmt::format("unknown host '{}'; check its name, or give it an entry in your ~/.ssh/config", host);
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return fmt::format("'{}' cannot be reached: {}; see that the host runs and has an sshd", host,
                         std::generic_category().message(errorNumber));
    case ECONNRESET:
      return fmt::format("the connection to '{}' was lost; see that the host runs and can be reached", host);
    default:
      return std::nullopt;
  }
}

std::string agentSentence(const SystemError& error) {
  const std::string place = forTerminal(error.object);
  if (error.errorNumber == 0) {
    return fmt::format(
        "what answers at '{}' is no agent; see that 'tcpscope-cli agent' of this version is installed and runs there",
        place);
  }
  if (error.errorNumber == ETIMEDOUT) {
    return fmt::format("the agent at '{}' does not answer; see that the host can be reached and does not ask for input",
                       place);
  }
  if (error.errorNumber == EPIPE) {
    return fmt::format("the agent at '{}' sent nothing; check that the host can be reached and has tcpscope-cli",
                       place);
  }
  if (const auto known = sshSentence(error.errorNumber, place)) return *known;
  return fmt::format("the agent at '{}' cannot be reached: {}; run 'tcpscope-cli doctor' there", place, reason(error));
}

std::string ssSentence(const SystemError& error) {
  const std::string place = forTerminal(error.object);
  switch (error.errorNumber) {
    case ENOPKG:
      return fmt::format("'{}' has no ss; install the package iproute2 there, or tcpscope-cli", place);
    case 0:
    case EPIPE:
      return fmt::format("ss at '{}' sent nothing; check that 'ss -ti' works there, as the user of the login", place);
    case ETIMEDOUT:
      return fmt::format("'{}' does not answer; see that the host can be reached and does not ask for input", place);
    case ENOTSUP:
      return fmt::format("ss shows one network namespace at a time; give '{}' for that of the login", loginOf(place));
    default:
      return agentSentence(error);
  }
}

std::string copySentence(const SystemError& error) {
  const std::string place = forTerminal(error.object);
  switch (error.errorNumber) {
    case ENOEXEC:
      return fmt::format(
          "'{}' is another kind of machine than this one, for which there is nothing to copy; look through its ss, or "
          "install the package tcpscope-cli there",
          place);
    case EBADMSG:
      return fmt::format("the copy of the agent arrived damaged at '{}' and was not run; try again", place);
    case ENOSPC:
      return fmt::format("'{}' has no folder for the agent; free space in its /tmp, or set TMPDIR there", place);
    case ENOTSUP:
      return fmt::format(
          "'{}' does not run the copy of the agent; where its /tmp is mounted noexec, set TMPDIR to another folder "
          "there, or look through its ss",
          place);
    case ENOENT:
      return "there is no tcpscope-cli beside this program that could be copied; install the package tcpscope-cli here";
    case 0:
    case EPIPE:
      return fmt::format("the agent could not be copied to '{}'; see that 'ssh ssh://{} true' works in a terminal",
                         place, loginOf(place));
    default:
      return agentSentence(error);
  }
}

/// What stands where a new file was to go (collectors/system/new_file.h); empty for other errors.
std::string notAFileSentence(const SystemError& error) {
  const std::string name = forTerminal(error.object);
  switch (error.errorNumber) {
    case EISDIR:
      return fmt::format("'{}' is a directory; name a file in it", name);
    case ELOOP:
      return fmt::format("'{}' is a symbolic link and was not followed; name the file itself", name);
    case ENOTSUP:
      return fmt::format("'{}' is not a regular file and was not changed; name another file", name);
    default:
      return {};
  }
}

bool isAboutTarget(const SystemError& error) {
  const bool writes = error.attempt == SystemAttempt::writeOutput || error.attempt == SystemAttempt::writeRecording ||
                      error.attempt == SystemAttempt::writeReport;
  return writes && !error.object.empty() && !notAFileSentence(error).empty();
}

std::string outputSentence(const SystemError& error) {
  const bool isFull = error.errorNumber == ENOSPC || error.errorNumber == EDQUOT;
  if (error.object.empty()) {
    return fmt::format("cannot write the output: {}; check the free space of its target", reason(error));
  }
  return fmt::format("cannot write '{}': {}; {}", forTerminal(error.object), reason(error),
                     isFull ? "see that there is room" : "name a file in a writable folder");
}

}  // namespace

std::string loginOf(const std::string& address) {
  return address.substr(0, address.find('/'));
}

std::string sentence(const SystemError& error) {
  if (isAboutTarget(error)) return notAFileSentence(error);
  switch (error.attempt) {
    case SystemAttempt::openNamespace:
    case SystemAttempt::enterNamespace:
      return namespaceSentence(error);
    case SystemAttempt::openSocketDiagnosis:
      return fmt::format("cannot open the kernel's socket diagnosis: {}; see 'tcpscope-cli doctor'", reason(error));
    case SystemAttempt::listSockets:
      return fmt::format("the kernel does not list its TCP sockets: {}; see 'tcpscope-cli doctor'", reason(error));
    case SystemAttempt::openWakeDescriptor:
      return fmt::format("no descriptor left for waking threads: {}; close programs or raise 'ulimit -n'",
                         reason(error));
    case SystemAttempt::startThread:
      return fmt::format("cannot start a thread: {}; close programs or raise 'ulimit -u'", reason(error));
    case SystemAttempt::writeOutput:
      return outputSentence(error);
    case SystemAttempt::probePath:
      return fmt::format("cannot send to {}: {}; see 'ip route get {}'", forTerminal(error.object), reason(error),
                         forTerminal(error.object));
    case SystemAttempt::reachAgent:
      return agentSentence(error);
    case SystemAttempt::pollWithSs:
      return ssSentence(error);
    case SystemAttempt::copyAgent:
      return copySentence(error);
    case SystemAttempt::openRecording:
      return fmt::format("cannot open '{}': {}; use a recording made by 'tcpscope-cli record'",
                         forTerminal(error.object), reason(error));
    case SystemAttempt::readRecording:
      if (error.errorNumber == 0) {
        return fmt::format("'{}' is not a recording of tcpscope; make one with 'tcpscope-cli record'",
                           forTerminal(error.object));
      }
      return fmt::format("cannot read '{}': {}; check the medium that the file is on", forTerminal(error.object),
                         reason(error));
    case SystemAttempt::writeRecording:
      return fmt::format("cannot write the recording '{}': {}; everything written before stays readable",
                         forTerminal(error.object), reason(error));
    case SystemAttempt::writeReport:
      return fmt::format("cannot write the report '{}': {}; name a file in a writable folder",
                         forTerminal(error.object), reason(error));
  }
  return reason(error);
}

namespace {

std::string_view whatHappened(FilterError::Kind kind) {
  switch (kind) {
    case FilterError::Kind::unexpectedEnd:
      return "the filter ends too early";
    case FilterError::Kind::unexpectedWord:
      return "unexpected here";
    case FilterError::Kind::unknownField:
      return "unknown field";
    case FilterError::Kind::badAddress:
      return "not an address";
    case FilterError::Kind::badPort:
      return "not a port";
    case FilterError::Kind::badValue:
      return "not a value of this field";
    case FilterError::Kind::badComparison:
      return "the field does not support this comparison";
    case FilterError::Kind::tooDeep:
      return "the filter is nested too deeply";
    case FilterError::Kind::tooLong:
      return "the filter is too long";
    case FilterError::Kind::badUnit:
      return "not a unit of this field";
  }
  return "the filter cannot be read";
}

/// The word at the place of the error, not longer than a line bears.
std::string wordAt(std::string_view text, std::size_t position) {
  static constexpr std::size_t kLongestQuote = 40;
  if (position >= text.size()) return {};
  const std::string_view rest = text.substr(position, kLongestQuote);
  return forPlainText(rest.substr(0, rest.find_first_of(" \t\r\n")));
}

}  // namespace

std::string sentence(const FilterError& error, std::string_view text) {
  const std::string word = wordAt(text, error.position);
  const std::string quoted = word.empty() ? std::string() : fmt::format(" (\"{}\")", word);
  return fmt::format("Filter, character {}{}: {}; expected {}.", error.position + 1, quoted, whatHappened(error.kind),
                     error.expected);
}

}  // namespace tcpscope
