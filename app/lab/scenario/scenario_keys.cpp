// The keys outside of every section, and those of [truth].
#include "app/lab/scenario/scenario_keys.h"

#include <algorithm>
#include <array>

namespace tcpscope::lab {

namespace {

// --- truth

bool readLimit(Truth& truth, std::string_view text) {
  const auto& limits = kVerdictLimits;
  const auto limit = std::find_if(limits.begin(), limits.end(), [&](Limit one) { return name(one) == text; });
  if (limit == limits.end() || *limit == Limit::unknown) return false;
  truth.limit = *limit;
  return true;
}

std::optional<std::string> writeLimit(const Truth& truth) {
  return std::string(name(truth.limit));
}

/// "path_full, loss, … or unknown", from the table of causes.
std::string_view causeNames() {
  static const std::string names = [] {
    std::string text;
    for (const CauseRow& row : kCauses) {
      if (!text.empty()) text += row.cause == Cause::unknown ? " or " : ", ";
      text += row.name;
    }
    return text;
  }();
  return names;
}

bool readCause(Truth& truth, std::string_view text) {
  const auto row = std::find_if(kCauses.begin(), kCauses.end(), [&](const CauseRow& one) { return one.name == text; });
  if (row == kCauses.end()) return false;
  truth.cause = row->cause;
  return true;
}

std::optional<std::string> writeCause(const Truth& truth) {
  return std::string(name(truth.cause));
}

bool isRule(std::string_view text) {
  return ruleNamed(text).has_value();
}

bool readFindings(Truth& truth, std::string_view text) {
  std::vector<std::string> rules = listParts(text);
  if (!std::all_of(rules.begin(), rules.end(), isRule)) return false;
  truth.findings = std::move(rules);
  return true;
}

bool readForbidden(Truth& truth, std::string_view text) {
  std::vector<std::string> rules = listParts(text);
  const auto fits = [](const std::string& rule) { return rule == kAnyFinding || isRule(rule); };
  if (!std::all_of(rules.begin(), rules.end(), fits)) return false;
  truth.forbiddenFindings = std::move(rules);
  return true;
}

bool readSlowPart(Truth& truth, std::string_view text) {
  const auto part = std::ranges::find_if(kSlowParts, [&](SlowPart one) { return name(one) == text; });
  if (part == kSlowParts.end()) return false;
  truth.slowPart = *part;
  return true;
}

std::optional<std::string> writeSlowPart(const Truth& truth) {
  return truth.slowPart ? std::optional(std::string(name(*truth.slowPart))) : std::nullopt;
}

std::optional<std::string> listOrNothing(const std::vector<std::string>& parts) {
  return parts.empty() ? std::nullopt : std::optional(listText(parts));
}

std::span<const KeyRow<Truth>> truthRows() {
  static const std::array rows = {
      memberRow<NameValue, &Truth::traffic, Truth>("traffic"),
      KeyRow<Truth>{"limit", "receiver, send_buffer, network, recovery, timeout, application, idle, opening or stalled",
                    readLimit, writeLimit},
      KeyRow<Truth>{"cause", causeNames(), readCause, writeCause},
      KeyRow<Truth>{"findings", "names of rules such as network_loss, with commas between them", readFindings,
                    [](const Truth& truth) { return listOrNothing(truth.findings); }},
      KeyRow<Truth>{"forbidden_findings", "names of rules such as network_loss with commas between them, or any",
                    readForbidden, [](const Truth& truth) { return listOrNothing(truth.forbiddenFindings); }},
      KeyRow<Truth>{"slow_part", "here, path or peer", readSlowPart, writeSlowPart},
  };
  return rows;
}

// --- outside of the sections

bool readSeed(Scenario& scenario, std::string_view text) {
  const auto seed = readCount(text);
  if (seed) scenario.path.seed = *seed;
  return seed.has_value();
}

std::optional<std::string> writeSeed(const Scenario& scenario) {
  return scenario.path.seed == 1 ? std::nullopt : std::optional(std::to_string(scenario.path.seed));
}

bool readRepeats(Scenario& scenario, std::string_view text) {
  constexpr std::size_t kMostRepeats = 1'000;
  const auto repeats = readCount(text);
  if (!repeats || *repeats == 0 || *repeats > kMostRepeats) return false;
  scenario.repeats = *repeats;
  return true;
}

std::optional<std::string> writeRepeats(const Scenario& scenario) {
  return scenario.repeats == 1 ? std::nullopt : std::optional(std::to_string(scenario.repeats));
}

constexpr std::array kScenarioRows = {
    memberRow<NameValue, &Scenario::name, Scenario>("name"),
    memberRow<TextValue, &Scenario::title, Scenario>("title"),
    memberRow<TextValue, &Scenario::story, Scenario>("story"),
    memberRow<TimeValue, &Scenario::duration, Scenario>("duration"),
    memberRow<TimeValue, &Scenario::warmUp, Scenario>("warm_up"),
    KeyRow<Scenario>{"repeats", "a number of runs from 1 to 1000", readRepeats, writeRepeats},
    KeyRow<Scenario>{"seed", kCountAllowed, readSeed, writeSeed},
};

}  // namespace

std::span<const KeyRow<Truth>> truthKeys() {
  return truthRows();
}

std::span<const KeyRow<Scenario>> scenarioKeys() {
  return kScenarioRows;
}

}  // namespace tcpscope::lab
