#include "app/cli/closed_connections.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "collectors/sock_diag/socket_closer.h"

namespace tcpscope {

namespace {

std::string countOf(std::size_t connections) {
  return fmt::format("{} connection{}", connections, connections == 1 ? "" : "s");
}

/// Only a typed "y" or "yes" is one.
bool isAgreed(std::size_t connections) {
  fmt::print(stderr, "Close {}? Their programs get an error, their peers a reset. [y/N] ", countOf(connections));
  std::fflush(stderr);
  std::string word;
  for (int character = std::getchar(); character != EOF && character != '\n'; character = std::getchar()) {
    constexpr std::size_t kLongestAnswer = 8;
    if (word.size() < kLongestAnswer) word += static_cast<char>(character);
  }
  return word == "y" || word == "Y" || word == "yes";
}

SocketAddress addressOf(const SocketObservation& socket) {
  return {socket.id, socket.local, socket.remote, socket.interfaceIndex};
}

ExitCode failToClose(const NetlinkError& error) {
  switch (error.kind) {
    case NetlinkError::Kind::notPermitted:
      return fail(ExitCode::missingRight, "no right to close connections; run the command as root");
    case NetlinkError::Kind::notSupported:
      return fail(
          ExitCode::systemFailed,
          "this kernel cannot close connections of other programs (CONFIG_INET_DIAG_DESTROY); end their programs "
          "instead");
    default:
      break;
  }
  return fail(ExitCode::systemFailed, "the kernel did not answer; see 'tcpscope-cli list' for what is closed");
}

}  // namespace

std::optional<ExitCode> refuseKill(const CommandOptions& options, const ConnectionFilter& filter) {
  if (filter.root() == nullptr) {
    return fail(ExitCode::wrongUsage, "--kill closes what a filter matches; name one, as in '-- dst 192.0.2.7'");
  }
  if (options.networkNamespace == kAllNamespaces) {
    return fail(ExitCode::wrongUsage, "--kill takes one network namespace, and not all");
  }
  if (options.count || options.anonymize || options.form() != OutputForm::text) {
    return fail(ExitCode::wrongUsage, "--kill takes neither --count nor --anonymize nor --json");
  }
  return std::nullopt;
}

ExitCode closeConnections(const LocalPlace& place, const Sockets& connections, bool yes) {
  if (connections.empty()) return fail(ExitCode::notThere, "the filter matches listeners only, which are not closed");
  if (!yes && isatty(STDIN_FILENO) != 1) {
    return fail(ExitCode::wrongUsage, fmt::format("{} would be closed; say --yes to close them without a terminal",
                                                  countOf(connections.size())));
  }
  if (!yes && !isAgreed(connections.size())) return fail(ExitCode::refused, "nothing was closed");
  auto closer = SocketCloser::open(place.access);
  if (!closer) return failToClose(closer.error());
  std::size_t closed = 0;
  std::size_t gone = 0;
  std::optional<NetlinkError> refused;
  for (const SocketObservation* socket : connections) {
    const auto answer = closer->close(addressOf(*socket));
    if (!answer) refused = answer.error();
    if (answer) ++(*answer == SocketCloser::Answer::closed ? closed : gone);
  }
  const std::size_t left = connections.size() - closed - gone;
  if (closed == 0 && gone == 0) return failToClose(*refused);
  fmt::print("{} closed{}{}\n", countOf(closed), gone > 0 ? fmt::format(", {} had ended before", gone) : "",
             left > 0 ? fmt::format(", {} not closed by the kernel", left) : "");
  if (left > 0) return ExitCode::systemFailed;
  return ExitCode::done;
}

void addKillOptions(CLI::App& command, CommandOptions& options) {
  CLI::Option* const kill =
      command.add_flag("--kill", options.kill.isAsked, "Close the connections that the filter matches, after asking");
  if (CLI::Option* const from = command.get_option_no_throw("--from")) kill->excludes(from);
  command.add_flag("--yes", options.kill.yes, "With --kill: close them without asking")->needs(kill);
}

}  // namespace tcpscope
