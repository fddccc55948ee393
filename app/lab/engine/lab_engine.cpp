#include "app/lab/engine/lab_engine.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <system_error>

#include "app/lab/engine/child_process.h"
#include "app/lab/engine/engine_start.h"
#include "app/lab/engine/lab_run.h"
#include "app/lab/host/lab_namespaces.h"
#include "app/lab/scenario/scenario_parser.h"

namespace tcpscope::lab {

namespace {

constexpr Milliseconds kTimeout{10'000};

int fail(const LabError& error) {
  static_cast<void>(sendMessage(kEngineChannel, encode(error)));
  return 1;
}

struct Order {
  Scenario scenario;
  OwnedDescriptor pathControl;
  /// One a host, or none.
  std::vector<OwnedDescriptor> captures;
};

Expected<Order, LabError> receiveOrder() {
  const auto broken = [](int errorNumber) {
    return tl::unexpected(LabError{LabErrorKind::setUpFailed, errorNumber, UntrustedText("the scenario's text")});
  };
  auto message = receiveMessage(kEngineChannel, kTimeout);
  if (!message) return broken(message.error());
  if (kindOf(message->bytes) != MessageKind::start || message->descriptors.empty()) return broken(EBADMSG);
  auto scenario = parseScenario(std::string_view(message->bytes).substr(sizeof(MessageKind)));
  if (!scenario) {
    return tl::unexpected(LabError{LabErrorKind::setUpFailed, EINVAL, UntrustedText(sentence(scenario.error()))});
  }
  Order order{std::move(*scenario), std::move(message->descriptors.front()), {}};
  message->descriptors.erase(message->descriptors.begin());
  order.captures = std::move(message->descriptors);
  const std::size_t hosts = order.scenario.path.hosts.size();
  const bool isOneAHost = order.captures.size() == hosts || order.captures.size() == hosts + 1;
  if (!order.captures.empty() && !isOneAHost) return broken(EBADMSG);
  return order;
}

bool notifyOwner(const LabRun& run) {
  for (const AgentEnds& agent : run.agents()) {
    const std::array<int, 2> ends = {agent.frames.get(), agent.requests.get()};
    if (!sendMessage(kEngineChannel, MessageWriter(MessageKind::agent), ends)) return false;
  }
  const std::array<int, 2> ends = {run.transferTable(), run.pathLog()};
  return sendMessage(kEngineChannel, encode(run.ready()), ends).has_value();
}

/// The process that captures answers; what keeps it from starting is answered here.
void startCapture(const LabRun& run) {
  const auto message = receiveMessage(kEngineChannel, Milliseconds(0));
  const auto question = message ? decodeCaptureQuestion(message->bytes) : std::nullopt;
  if (!question || message->descriptors.size() != 1) return;
  const auto started = run.startCapture(*question, message->descriptors.front().get());
  if (started) return;
  const LiveCaptureError error{LiveCaptureErrorKind::failed, UntrustedText(question->settings.interface),
                               UntrustedText(std::generic_category().message(started.error().errorNumber))};
  static_cast<void>(sendMessage(kEngineChannel, encode(error)));
}

/// Reaps children and starts captures until the owner is gone (0), or the path's process (1).
int watchOver(const LabRun& run, int childSignals) {
  while (true) {
    // Before the first wait, too: a child may have ended before its signals were kept.
    int status = 0;
    for (pid_t ended = waitpid(-1, &status, WNOHANG); ended > 0; ended = waitpid(-1, &status, WNOHANG)) {
      // Its exit code is errno.
      if (ended == run.pathProcess()) return fail(pathEnded(WIFEXITED(status) ? WEXITSTATUS(status) : 0));
    }
    std::array<pollfd, 2> waits = {{{kEngineChannel, POLLIN, 0}, {childSignals, POLLIN, 0}}};
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return 1;
    if ((waits[0].revents & ~POLLIN) != 0) return 0;
    if (waits[0].revents != 0) startCapture(run);
    signalfd_siginfo signal;
    while (read(childSignals, &signal, sizeof signal) > 0) {
    }
  }
}

/// The first process of the lab's namespaces: with it, everything in them ends.
int runInside(const NamespaceChild& namespaces) {
  if (auto settled = settleInLabNamespaces(namespaces); !settled) return fail(settled.error());
  auto order = receiveOrder();
  if (!order) return fail(order.error());

  auto run = LabRun::start(order->scenario, std::move(order->pathControl), order->captures);
  if (!run) return fail(run.error());
  order->captures.clear();
  // Only now: children inherit the mask.
  sigset_t childEnded;
  sigemptyset(&childEnded);
  sigaddset(&childEnded, SIGCHLD);
  sigprocmask(SIG_BLOCK, &childEnded, nullptr);
  const int childSignals = signalfd(-1, &childEnded, SFD_CLOEXEC | SFD_NONBLOCK);
  if (childSignals < 0 || !notifyOwner(*run)) return 1;
  run->closeOwnersEnds();
  return watchOver(*run, childSignals);
}

/// The process that the owner started: stays outside to see both the owner's end and the lab's.
int runOutside(pid_t inside) {
  const int insideEnds = static_cast<int>(syscall(SYS_pidfd_open, inside, 0));
  std::array<pollfd, 2> waits = {{{kEngineChannel, 0, 0}, {insideEnds, POLLIN, 0}}};
  while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  kill(inside, SIGKILL);
  waitpid(inside, nullptr, 0);
  return 0;
}

bool isSocket(int descriptor) {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_SEQPACKET;
}

}  // namespace

std::optional<int> runLabEngineIfAsked(int argumentCount, char** arguments) {
  if (argumentCount != 2 || std::strcmp(arguments[1], kEngineArgument) != 0) return std::nullopt;
  if (!isSocket(kEngineChannel)) return 2;
  prctl(PR_SET_NAME, "lab-engine");
  setsid();
  leaveTerminal();
  const auto namespaces = cloneIntoLabNamespaces();
  if (!namespaces) return fail(namespaces.error());
  // Without the destructors and handlers of a program that never ran.
  if (namespaces->pid == 0) _exit(runInside(*namespaces));
  _exit(runOutside(namespaces->pid));
}

}  // namespace tcpscope::lab
