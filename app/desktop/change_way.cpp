#include "app/desktop/change_way.h"

#include <unistd.h>

#include "app/changes/transport/bus_client.h"
#include "core/present/text/change_text.h"

namespace tcpscope {

namespace {

using Words = std::vector<std::string>;

std::string assignment(std::string_view key, std::string_view value) {
  return std::string(key) + "=" + std::string(value);
}

void addAssignments(Words& words, const HostChangeRequest& wish) {
  for (const SettingChange& change : wish.changes) words.push_back(assignment(change.key, change.wanted));
}

/// As app/cli/exit_code.h.
constexpr int kMissingRight = 3;

class CommandLineWay final : public ChangeWay {
public:
  CommandLineWay(ChangeRoute route, RunCommand run) : m_route(std::move(route)), m_run(std::move(run)) {}

  CommandAnswer look(const HostChangeRequest& wish, const std::stop_token& stop) override {
    if (isTuning(wish)) return lookAtOptions(wish, stop);
    Words words = {"apply", "--preview", "--json"};
    addAssignments(words, wish);
    return m_run(m_route.look(words), stop);
  }
  CommandAnswer apply(const ShownWish& shown, const std::stop_token& stop) override {
    if (isTuning(shown.wish)) {
      Words words = {"tune", connection(shown.wish), "--json"};
      addAssignments(words, shown.wish);
      return tune(words, stop);
    }
    Words words = {"apply", "--yes", "--json", "--revert-after", std::to_string(shown.revertAfter.count())};
    if (shown.persist) words.emplace_back("--persist");
    addAssignments(words, shown.wish);
    for (const HostChangeRow& row : shown.rows) {
      if (row.now) words.insert(words.end(), {"--expect", assignment(row.key, *row.now)});
    }
    return change(words, stop);
  }
  CommandAnswer keep(std::uint32_t number, const std::stop_token& stop) override {
    return change({"confirm", std::to_string(number), "--json"}, stop);
  }
  CommandAnswer undo(const HostChangeRequest& wish, std::uint32_t number, const std::stop_token& stop) override {
    if (isTuning(wish)) return tune({"tune", connection(wish), "--undo", "--json"}, stop);
    return change({"revert", std::to_string(number), "--json"}, stop);
  }
  CommandAnswer list(const std::stop_token& stop) override { return change({"changes", "--json"}, stop); }

private:
  static bool isTuning(const HostChangeRequest& wish) { return wish.kind == SettingKind::socketOption; }
  static std::string connection(const HostChangeRequest& wish) {
    return wish.local.toString() + "-" + wish.remote.toString();
  }
  /// Whoever has to do it by hand wants to change something, not to look.
  CommandAnswer lookAtOptions(const HostChangeRequest& wish, const std::stop_token& stop) {
    CommandAnswer answer = tune({"tune", connection(wish), "--show", "--json"}, stop);
    if (std::erase(answer.byHand, "--show") > 0) addAssignments(answer.byHand, wish);
    return answer;
  }
  CommandAnswer change(const Words& words, const std::stop_token& stop) { return m_run(m_route.change(words), stop); }
  /// Programs of the own user may be asked without rights; what can be undone is kept by whoever changed it.
  CommandAnswer tune(const Words& words, const std::stop_token& stop) {
    if (!m_tunesWithRights) {
      CommandAnswer answer = m_run(m_route.look(words), stop);
      if (answer.exitCode != kMissingRight || m_route.rights.empty()) return answer;
      m_tunesWithRights = true;
    }
    return change(words, stop);
  }

  ChangeRoute m_route;
  RunCommand m_run;
  bool m_tunesWithRights = false;
};

/// Waits as long as somebody takes to type a password: a stop is not heard meanwhile.
class HelperWay final : public ChangeWay {
public:
  [[nodiscard]] bool isAvailable() { return m_helper.isAvailable(); }

  CommandAnswer look(const HostChangeRequest& wish, const std::stop_token& /*stop*/) override {
    return answerOf(m_helper.preview(settingsOf(wish)));
  }
  CommandAnswer apply(const ShownWish& shown, const std::stop_token& /*stop*/) override {
    SysctlRequest wish{settingsOf(shown.wish), {}, shown.persist, shown.revertAfter};
    for (const HostChangeRow& row : shown.rows) {
      if (row.now) wish.expected.push_back({row.key, *row.now});
    }
    return answerOf(m_helper.apply(wish));
  }
  CommandAnswer keep(std::uint32_t change, const std::stop_token& /*stop*/) override {
    return answerOf(m_helper.confirm(change));
  }
  CommandAnswer undo(const HostChangeRequest& /*wish*/, std::uint32_t change, const std::stop_token& /*stop*/) override {
    return answerOf(m_helper.revert(change));
  }
  CommandAnswer list(const std::stop_token& /*stop*/) override { return answerOf(m_helper.list()); }

private:
  static std::vector<WantedSetting> settingsOf(const HostChangeRequest& wish) {
    std::vector<WantedSetting> settings;
    for (const SettingChange& change : wish.changes) settings.push_back({std::string(change.key), change.wanted});
    return settings;
  }
  static CommandAnswer answerOf(const BusClient::Answer& answer) {
    return answer ? CommandAnswer{0, *answer, {}} : CommandAnswer{-1, {}, sentence(answer.error())};
  }

  BusClient m_helper;
};

}  // namespace

Expected<ChangeWayPointer, std::string> changeWayTo(const HostChangeRequest& wish, const ChangeMeans& means) {
  // The helper knows settings of the host's own namespace, where it runs.
  if (wish.kind == SettingKind::sysctl && isOwnPlace(wish.place) && means.openHelper) {
    if (ChangeWayPointer helper = means.openHelper()) return helper;
  }
  auto route = changeRouteTo(wish.place, means.program, means.run);
  if (!route) return tl::unexpected(route.error());
  return commandLineWay(std::move(*route), means.run);
}

ChangeWayPointer commandLineWay(ChangeRoute route, RunCommand run) {
  return std::make_shared<CommandLineWay>(std::move(route), std::move(run));
}

ChangeWayPointer wayToHost(const std::string& address, const Place& place, SshManner manner, RunSsh run) {
  return commandLineWay({rightsThere(), "tcpscope-cli", {}}, runAtHost(address, place, manner, std::move(run)));
}

ChangeWayPointer openHelperWay() {
  auto way = std::make_shared<HelperWay>();
  return way->isAvailable() ? way : nullptr;
}

ChangeWayPointer openHelperWayUnlessRoot() {
  return geteuid() == 0 ? nullptr : openHelperWay();
}

}  // namespace tcpscope
