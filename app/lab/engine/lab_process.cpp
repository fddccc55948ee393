#include "app/lab/engine/lab_process.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <system_error>

#include "app/lab/engine/engine_answers.h"
#include "app/lab/engine/engine_start.h"
#include "app/lab/engine/lab_controls.h"
#include "app/lab/path/loop_clock.h"
#include "app/lab/path/path_log_file.h"
#include "app/lab/scenario/scenario_writer.h"
#include "app/lab/traffic/transfer_table.h"

namespace tcpscope::lab {

namespace {

constexpr Milliseconds kSetUpTimeout{20'000};
constexpr Milliseconds kAnswerTimeout{5'000};
constexpr Milliseconds kEndTimeout{5'000};
/// The engine notices the path's end a moment after its owner may.
constexpr Milliseconds kLastMessageTimeout{1'000};

LabError engineEnded(int errorNumber, const char* what) {
  return {LabErrorKind::engineEnded, errorNumber, UntrustedText(what)};
}

MessageWriter withText(MessageKind kind, const Scenario& scenario) {
  MessageWriter writer(kind);
  writer.text(writeScenario(scenario));
  return writer;
}

bool hasSameHosts(const PathSettings& one, const PathSettings& other) {
  return std::equal(one.hosts.begin(), one.hosts.end(), other.hosts.begin(), other.hosts.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name && a.side == b.side; });
}

/// What the owner holds besides the engine.
struct LabEnds {
  std::vector<OwnedDescriptor> agents;
  std::vector<AgentPipe> pipes;
  EngineReady ready;
  std::optional<TransferTable> table;
  OwnedDescriptor pathLog;
  OwnedDescriptor pathControl;
};

class RunningLab final : public LabProcess {
public:
  RunningLab(const Scenario& scenario, std::vector<TrafficPlan> plans, std::optional<RegisteredControls> controls,
             StartedEngine engine)
      : m_scenario(scenario), m_plans(std::move(plans)), m_controls(std::move(controls)), m_engine(std::move(engine)) {}

  ~RunningLab() override {
    // It ends with its channel, or is killed.
    m_engine.channel.reset();
    m_engine.process.waitFor(kEndTimeout);
  }

  Expected<void, LabError> awaitReady(std::span<const int> captures);

  [[nodiscard]] Moment startedAt() const override { return m_ends.ready.startedAt; }
  [[nodiscard]] const std::vector<AgentPipe>& agents() const override { return m_ends.pipes; }
  Expected<void, LabError> change(const PathSettings& path) override;
  Expected<LabResult, LabError> report() override;
  [[nodiscard]] std::vector<PathEvent> events() const override;
  Expected<OwnedDescriptor, LiveCaptureError> capture(std::size_t host, const LiveCaptureSettings& settings) override;

private:
  Expected<void, LabError> takeAgent(Message message);
  Expected<void, LabError> takeReady(Message message);
  [[nodiscard]] LabError whyEnded() const;
  Expected<Message, LabError> askPath(const MessageWriter& question) const;

  Scenario m_scenario;
  std::vector<TrafficPlan> m_plans;
  /// Before the engine: they outlast it.
  std::optional<RegisteredControls> m_controls;
  StartedEngine m_engine;
  LabEnds m_ends;
  /// Of the engine's channel: a question and its answer belong together.
  mutable std::mutex m_asking;
};

Expected<void, LabError> RunningLab::awaitReady(std::span<const int> captures) {
  // Made here: a socket keeps the network namespace that it was made in.
  auto control = openMessageChannel();
  if (!control) return tl::unexpected(engineEnded(control.error(), "the path's channel"));
  m_ends.pathControl = std::move(control->first);
  std::vector<int> descriptors = {control->second.get()};
  descriptors.insert(descriptors.end(), captures.begin(), captures.end());
  const auto sent = sendMessage(m_engine.channel.get(), withText(MessageKind::start, m_scenario), descriptors);
  // An engine that ended early has said why.
  if (!sent && sent.error() != EPIPE) return tl::unexpected(engineEnded(sent.error(), "the scenario's text"));
  control->second.reset();
  while (true) {
    auto message = receiveMessage(m_engine.channel.get(), kSetUpTimeout);
    if (!message) return tl::unexpected(engineEnded(message.error(), "during set-up"));
    if (const auto error = decodeLabError(message->bytes)) return tl::unexpected(*error);
    const bool isLast = kindOf(message->bytes) == MessageKind::ready;
    if (auto taken = isLast ? takeReady(std::move(*message)) : takeAgent(std::move(*message)); !taken || isLast) {
      return taken;
    }
  }
}

Expected<void, LabError> RunningLab::takeAgent(Message message) {
  if (kindOf(message.bytes) != MessageKind::agent || message.descriptors.size() != 2 ||
      m_ends.pipes.size() == m_scenario.path.hosts.size()) {
    return tl::unexpected(engineEnded(EBADMSG, "an agent's pipes"));
  }
  m_ends.pipes.push_back(
      {m_scenario.path.hosts[m_ends.pipes.size()].name, message.descriptors[0].get(), message.descriptors[1].get()});
  for (OwnedDescriptor& descriptor : message.descriptors) m_ends.agents.push_back(std::move(descriptor));
  return {};
}

Expected<void, LabError> RunningLab::takeReady(Message message) {
  const auto ready = decodeReady(message.bytes);
  if (!ready || message.descriptors.size() != 2) return tl::unexpected(engineEnded(EBADMSG, "the lab's descriptors"));
  auto table = TransferTable::adopt(std::move(message.descriptors[0]), slotsOf(m_plans), m_scenario.path.hosts.size());
  if (!table) return tl::unexpected(table.error());
  m_ends.ready = *ready;
  m_ends.table = std::move(*table);
  m_ends.pathLog = std::move(message.descriptors[1]);
  return {};
}

Expected<Message, LabError> RunningLab::askPath(const MessageWriter& question) const {
  if (auto sent = sendMessage(m_ends.pathControl.get(), question); !sent) return tl::unexpected(whyEnded());
  auto answer = receiveMessage(m_ends.pathControl.get(), kAnswerTimeout);
  if (!answer) return tl::unexpected(answer.error() == ETIMEDOUT ? pathEnded(ETIMEDOUT) : whyEnded());
  if (const auto error = decodeLabError(answer->bytes)) return tl::unexpected(*error);
  return std::move(*answer);
}

/// What the engine has left to say, or only that it is gone.
LabError RunningLab::whyEnded() const {
  const std::lock_guard lock(m_asking);
  const auto last = receiveMessage(m_engine.channel.get(), kLastMessageTimeout);
  const auto error = last ? decodeLabError(last->bytes) : std::nullopt;
  return error.value_or(engineEnded(0, "its first process was killed"));
}

Expected<void, LabError> RunningLab::change(const PathSettings& path) {
  if (!hasSameHosts(path, m_scenario.path)) {
    return tl::unexpected(LabError{LabErrorKind::setUpFailed, EINVAL, UntrustedText("other hosts on the path")});
  }
  Scenario changed = m_scenario;
  changed.path = path;
  if (const auto answer = askPath(withText(MessageKind::change, changed)); !answer) {
    return tl::unexpected(answer.error());
  }
  m_scenario = std::move(changed);
  return {};
}

Expected<LabResult, LabError> RunningLab::report() {
  const auto answer = askPath(MessageWriter(MessageKind::askReport));
  if (!answer) return tl::unexpected(answer.error());
  const auto path = decodePathAnswer(answer->bytes);
  if (!path) return tl::unexpected(engineEnded(EBADMSG, "the path's report"));
  return LabResult{path->report,
                   path->lostEvents,
                   m_ends.ready.skipped,
                   m_ends.table->records(m_plans),
                   m_ends.table->hostUses(m_scenario.path.hosts),
                   pathClock()};
}

Expected<OwnedDescriptor, LiveCaptureError> RunningLab::capture(std::size_t host, const LiveCaptureSettings& settings) {
  const auto failed = [&](int errorNumber) {
    return tl::unexpected(LiveCaptureError{LiveCaptureErrorKind::failed, UntrustedText(settings.interface),
                                           UntrustedText(std::generic_category().message(errorNumber))});
  };
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return failed(errno);
  OwnedDescriptor own(ends[0]);
  const OwnedDescriptor theirs(ends[1]);
  const std::lock_guard lock(m_asking);
  const auto sent =
      sendMessage(m_engine.channel.get(), encode(CaptureQuestion{host, settings}), std::array{theirs.get()});
  if (!sent) return failed(sent.error());
  const auto answer = receiveMessage(m_engine.channel.get(), kAnswerTimeout);
  if (!answer) return failed(answer.error());
  if (const auto error = decodeCaptureError(answer->bytes)) return tl::unexpected(*error);
  if (kindOf(answer->bytes) != MessageKind::capturing) return failed(EPIPE);
  return own;
}

std::vector<PathEvent> RunningLab::events() const {
  // The report comes after the log was written as far; where the lab has ended, the log is what it left.
  static_cast<void>(askPath(MessageWriter(MessageKind::askReport)));
  return readPathLog(m_ends.pathLog.get());
}

}  // namespace

Expected<std::unique_ptr<LabProcess>, LabError> LabProcess::start(const Scenario& scenario) {
  return startCaptured(scenario, {});
}

Expected<std::unique_ptr<LabProcess>, LabError> LabProcess::startCaptured(const Scenario& scenario,
                                                                          std::span<const int> captures) {
  auto plans = planTraffic(scenario);
  if (!plans) return tl::unexpected(plans.error());
  auto controls = holdControls(scenario);
  if (!controls) return tl::unexpected(controls.error());
  auto engine = startEngine();
  if (!engine) {
    return tl::unexpected(LabError{LabErrorKind::setUpFailed, engine.error(), UntrustedText("the engine's process")});
  }
  auto lab = std::make_unique<RunningLab>(scenario, std::move(*plans), std::move(*controls), std::move(*engine));
  if (auto ready = lab->awaitReady(captures); !ready) return tl::unexpected(ready.error());
  return lab;
}

}  // namespace tcpscope::lab
