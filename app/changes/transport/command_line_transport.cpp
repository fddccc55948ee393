#include <algorithm>

#include "app/changes/transport/change_transport.h"
#include "core/present/json/change_document.h"
#include "core/present/json/tune_document.h"

namespace tcpscope {

namespace {

using Words = std::vector<std::string>;

/// As app/cli/exit_code.h.
constexpr int kMissingRight = 3;

void addAssignments(Words& words, const std::vector<WantedSetting>& settings) {
  for (const WantedSetting& setting : settings) words.push_back(setting.key + "=" + setting.value);
}

void addTrial(Words& words, const ChangeRequest& request) {
  if (!request.revertAfter) return;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(*request.revertAfter);
  words.insert(words.end(), {"--revert-after", std::to_string(seconds.count())});
}

ChangeError errorOf(CommandResult result) {
  while (!result.errorText.empty() && (result.errorText.back() == '\n' || result.errorText.back() == ' ')) {
    result.errorText.pop_back();
  }
  const auto kind = result.errorText.empty() ? ChangeErrorKind::unreadableReport : ChangeErrorKind::reported;
  ChangeError error = result.failure.value_or(ChangeError{kind, 0, UntrustedText(result.errorText)});
  // A command that ended well did something, even if its document cannot be read.
  error.isOutcomeUnknown = result.isLost || result.exitCode == 0;
  error.manualCommand = std::move(result.manualCommand);
  return error;
}

/// Also of a command that failed: a revert that left a value alone has a document and an exit code.
template <class Accept>
ChangeResult resultOf(CommandResult result, std::optional<ChangeReport> (*read)(std::string_view), Accept accept) {
  auto report = read(result.output);
  if (report && accept(report->content)) return std::move(*report);
  return tl::unexpected(errorOf(std::move(result)));
}

class CommandLineTransport final : public ChangeTransport {
public:
  CommandLineTransport(ChangeRoute route, RunCommand run) : m_route(std::move(route)), m_run(std::move(run)) {}

  ChangeResult preview(const ChangeRequest& request, const std::stop_token& stop) override {
    if (isOfSocket(request)) return showOptions(request, stop);
    Words words = {"apply", "--preview", "--json"};
    addAssignments(words, request.settings);
    return resultOf(m_run(m_route.withoutRights(words), stop), readChangeReport,
                    [](auto content) { return content == ChangeReport::Content::preview; });
  }
  ChangeResult apply(const ChangeRequest& request, const std::stop_token& stop) override {
    if (isOfSocket(request)) {
      Words words = {"tune", request.connection, "--json"};
      addTrial(words, request);
      if (request.replacesTrial) words.emplace_back("--replace-trial");
      addAssignments(words, request.settings);
      return optionsOf(tune(words, stop));
    }
    Words words = {"apply", "--yes", "--json"};
    addTrial(words, request);
    if (request.persist) words.emplace_back("--persist");
    addAssignments(words, request.settings);
    for (const WantedSetting& one : request.expected) {
      words.insert(words.end(), {"--expect", one.key + "=" + one.value});
    }
    return changed(words, stop);
  }
  ChangeResult confirm(const ChangeRequest& request, std::uint32_t change, const std::stop_token& stop) override {
    if (isOfSocket(request)) return optionsOf(tune({"tune", request.connection, "--confirm", "--json"}, stop));
    return changed({"confirm", std::to_string(change), "--json"}, stop);
  }
  ChangeResult revert(const ChangeRequest& request, std::uint32_t change, const std::stop_token& stop) override {
    if (isOfSocket(request)) return optionsOf(tune({"tune", request.connection, "--undo", "--json"}, stop));
    return changed({"revert", std::to_string(change), "--json"}, stop);
  }
  ChangeResult list(const std::stop_token& stop) override { return changed({"changes", "--json"}, stop); }

private:
  static bool isOfSocket(const ChangeRequest& request) { return request.kind == ChangeKind::socketOption; }
  static ChangeResult optionsOf(CommandResult result) {
    return resultOf(std::move(result), readTuneReport, [](auto) { return true; });
  }
  /// On the command line, `tune` changes the options unless --show asks to show them.
  ChangeResult showOptions(const ChangeRequest& request, const std::stop_token& stop) {
    CommandResult result = tune({"tune", request.connection, "--show", "--json"}, stop);
    const bool isToChange = !request.settings.empty();
    if (isToChange && std::erase(result.manualCommand, "--show") > 0)
      addAssignments(result.manualCommand, request.settings);
    return optionsOf(std::move(result));
  }
  ChangeResult changed(const Words& words, const std::stop_token& stop) {
    return resultOf(m_run(m_route.withRights(words), stop), readChangeReport,
                    [](auto content) { return content != ChangeReport::Content::preview; });
  }
  /// Sockets of the user's own processes need no rights. The originals are kept by the user who changed them.
  CommandResult tune(const Words& words, const std::stop_token& stop) {
    if (!m_tunesWithRights) {
      CommandResult result = m_run(m_route.withoutRights(words), stop);
      if (result.exitCode != kMissingRight || m_route.rights.empty()) return result;
      m_tunesWithRights = true;
    }
    return m_run(m_route.withRights(words), stop);
  }

  ChangeRoute m_route;
  RunCommand m_run;
  bool m_tunesWithRights = false;
};

}  // namespace

Expected<ChangeTransportPointer, std::string> openTransport(const Place& place, ChangeKind kind,
                                                            const TransportParts& parts) {
  // The helper changes sysctls of the initial network namespace, in which it runs.
  if (kind == ChangeKind::sysctl && isOwnPlace(place) && parts.openHelper) {
    if (ChangeTransportPointer helper = parts.openHelper()) return helper;
  }
  auto route = changeRouteTo(place, parts.program, parts.run, parts.check);
  // Sockets of the user's own processes need no rights; of another's the command itself says what is missing.
  if (!route && kind == ChangeKind::socketOption && isOwnPlace(place)) route = ChangeRoute{{}, parts.program, {}};
  if (!route) return tl::unexpected(route.error());
  return commandLineTransport(std::move(*route), parts.run);
}

ChangeTransportPointer commandLineTransport(ChangeRoute route, RunCommand run) {
  return std::make_shared<CommandLineTransport>(std::move(route), std::move(run));
}

ChangeTransportPointer sshTransport(const std::string& address, const Place& place, SshManner manner, RunSsh run) {
  return commandLineTransport({remoteRights(), "tcpscope-cli", {}}, runOnHost(address, place, manner, std::move(run)));
}

}  // namespace tcpscope
