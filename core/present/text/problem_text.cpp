#include "core/present/text/problem_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// "1 connection", "3 connections"
std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// ", the oldest for 9.2 s"
std::string since(const Problem& problem) {
  if (!problem.oldest) return {};
  return fmt::format(", {}for {}", problem.count == 1 ? "" : "the oldest ", formatTime(toSeconds(*problem.oldest)));
}

std::string stalledPhrase(const Problem& problem) {
  const std::string connections = counted(problem.count, "connection");
  if (problem.cause == Cause::slowReader) {
    return fmt::format("{} stalled: the peer's receive window stays closed", connections);
  }
  return fmt::format("{} stalled: nothing is acknowledged{}", connections, since(problem));
}

bool belongsToProgram(ProblemKind kind) {
  return kind == ProblemKind::closeWait || kind == ProblemKind::finWait || kind == ProblemKind::noKeepAlive;
}

}  // namespace

std::string subject(const Problem& problem) {
  if (belongsToProgram(problem.kind)) {
    if (!problem.owner) return "unknown process";
    return fmt::format("{} ({})", forPlainText(problem.owner->processName), problem.owner->pid);
  }
  Endpoint named = problem.endpoint;
  if (problem.kind == ProblemKind::stalled && named.port == 0) named.port = problem.sharedPort;
  return named.port == 0 ? named.address.toString() : named.toString();
}

std::string phrase(const Problem& problem) {
  switch (problem.kind) {
    case ProblemKind::unansweredOpening:
      return fmt::format("{} unanswered{}", counted(problem.count, "connection attempt"), since(problem));
    case ProblemKind::stalled:
      return stalledPhrase(problem);
    case ProblemKind::acceptQueueOverflow:
      return fmt::format(
          "accept queue full: {} wait, {} fit; other clients connect a second or more later, or not at all",
          problem.count, problem.capacity.value_or(0));
    case ProblemKind::portsUsedUp:
      return fmt::format("{} of {} local ports in use towards it, TIME-WAIT included", problem.count,
                         problem.capacity.value_or(0));
    case ProblemKind::closeWait:
      return fmt::format("{} closed by the peer and not here (CLOSE-WAIT){}", counted(problem.count, "connection"),
                         since(problem));
    case ProblemKind::smallWrites:
      return fmt::format("{} held up by small writes that wait for acknowledgments (Nagle)",
                         counted(problem.count, "connection"));
    case ProblemKind::unfinishedClose:
      return fmt::format("{} closed here and not acknowledged (LAST-ACK, FIN-WAIT-1, CLOSING)",
                         counted(problem.count, "connection"));
    case ProblemKind::noKeepAlive:
      return fmt::format("{} idle, and this end sends no keep-alives{}", counted(problem.count, "connection"),
                         since(problem));
    case ProblemKind::finWait:
      break;
  }
  return fmt::format("{} closed here and not by the peer (FIN-WAIT-2){}", counted(problem.count, "connection"),
                     since(problem));
}

std::string_view nextStep(const Problem& problem) {
  switch (problem.kind) {
    case ProblemKind::unansweredOpening:
      return "Check the firewalls on the path, and whether the host is up.";
    case ProblemKind::stalled:
      return problem.cause == Cause::slowReader ? "Check why the peer's application does not read."
                                                : "Check whether other connections to that host work.";
    case ProblemKind::acceptQueueOverflow:
      return "Make the application accept faster, or increase its backlog and net.core.somaxconn.";
    case ProblemKind::portsUsedUp:
      return "Reuse connections, or widen net.ipv4.ip_local_port_range.";
    case ProblemKind::closeWait:
      return "The application leaks descriptors: it has to close what its peers close.";
    case ProblemKind::smallWrites:
      return "Set TCP_NODELAY, or write each message at once.";
    case ProblemKind::unfinishedClose:
      return "Check whether the peer is up, and whether a firewall on the path drops what belongs to old connections.";
    case ProblemKind::noKeepAlive:
      return "Firewalls forget idle connections: set SO_KEEPALIVE, with TCP_KEEPIDLE below their timeout.";
    case ProblemKind::finWait:
      break;
  }
  return "Check why the peer does not close its side.";
}

}  // namespace tcpscope
