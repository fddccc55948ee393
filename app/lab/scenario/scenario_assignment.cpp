#include "app/lab/scenario/scenario_assignment.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/scenario/scenario_keys.h"

namespace tcpscope::lab {

namespace {

using Kind = ScenarioError::Kind;
using ScenarioFailure = Unexpected<ScenarioError>;
using Result = Expected<void, ScenarioError>;

constexpr std::size_t kMostHosts = 32;
constexpr std::size_t kMostTrafficSections = 32;
constexpr std::size_t kMostVariants = 64;
constexpr std::string_view kSections =
    "[path], [path.forward], [path.backward], [host NAME], [access NAME], [traffic NAME], [truth], [sweep] or "
    "[variant AXIS VALUE]";

/// The key being read, part by part; errors name the whole.
class KeyReader {
public:
  KeyReader(std::string_view key, std::string_view value) : m_whole(key), m_value(value), m_rest(key) {}

  std::string_view next() {
    const std::size_t dot = m_rest.find('.');
    const std::string_view part = m_rest.substr(0, dot);
    m_rest.remove_prefix(dot == std::string_view::npos ? m_rest.size() : dot + 1);
    return part;
  }
  [[nodiscard]] std::string_view rest() const { return m_rest; }
  [[nodiscard]] std::string_view value() const { return m_value; }
  [[nodiscard]] ScenarioFailure fail(Kind kind, std::string_view allowed) const {
    return ScenarioFailure(ScenarioError{kind, 0, std::string(m_whole), std::string(m_value), std::string(allowed)});
  }

private:
  std::string_view m_whole;
  std::string_view m_value;
  std::string_view m_rest;
};

template <class Target>
std::string keysText(std::span<const KeyRow<Target>> rows, std::string_view more = {}) {
  std::string text;
  for (const auto& row : rows) text += fmt::format("{}{}", text.empty() ? "" : ", ", row.key);
  return text + std::string(more);
}

template <class Target>
Result setByRow(Target& target, std::span<const KeyRow<Target>> rows, const KeyReader& key,
                std::string_view more = {}) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.key == key.rest(); });
  if (row == rows.end()) return key.fail(Kind::unknownKey, keysText(rows, more));
  if (!row->read(target, key.value())) return key.fail(Kind::badValue, row->allowed);
  return {};
}

/// The element with this name; null where there is none.
template <class Named>
Named* findNamed(std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <class Named>
std::string namesText(const std::vector<Named>& all, std::string_view what) {
  std::string text;
  for (const Named& one : all) text += fmt::format("{}{}", text.empty() ? "" : " or ", one.name);
  return text.empty() ? fmt::format("a [{} NAME] before it", what) : text;
}

Result setLink(DuplexSettings& duplex, KeyReader key) {
  if (key.rest().starts_with("forward.")) {
    key.next();
    return setByRow(duplex.forward, linkKeys(), key);
  }
  if (key.rest().starts_with("backward.")) {
    key.next();
    return setByRow(duplex.backward, linkKeys(), key);
  }
  if (auto forward = setByRow(duplex.forward, linkKeys(), key); !forward) return forward;
  return setByRow(duplex.backward, linkKeys(), key);
}

Result setAccess(Scenario& scenario, KeyReader key) {
  AttachedHost* const host = findNamed(scenario.path.hosts, key.next());
  if (host == nullptr) return key.fail(Kind::unknownName, namesText(scenario.path.hosts, "host"));
  return setLink(host->access, key);
}

/// A path below /proc/sys in the notation of sysctl: nothing that leads out of it.
bool isSysctl(std::string_view key) {
  constexpr std::size_t kLongest = 80;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; };
  return key.starts_with("net.") && key.size() <= kLongest && std::all_of(key.begin(), key.end(), fits) &&
         key.find("..") == std::string_view::npos && key.back() != '.';
}

Result setSegments(std::optional<Segments>& segments, const KeyReader& key) {
  constexpr std::uint64_t kMost = 100'000;
  const auto count = readCount(key.value());
  if (!count || *count == 0 || *count > kMost) return key.fail(Kind::badValue, "a number of segments from 1 to 100000");
  segments = Segments(*count);
  return {};
}

Result setHost(Scenario& scenario, KeyReader key) {
  const std::string_view name = key.next();
  HostSettings* const host = findNamed(scenario.hosts, name);
  if (host == nullptr) return key.fail(Kind::unknownName, namesText(scenario.hosts, "host"));
  if (key.rest() == "side") {
    if (key.value() != "left" && key.value() != "right") return key.fail(Kind::badValue, "left or right");
    findNamed(scenario.path.hosts, name)->side = key.value() == "left" ? PathSide::left : PathSide::right;
    return {};
  }
  if (key.rest() == "mtu") {
    constexpr Bytes kSmallest{576};
    constexpr Bytes kLargest{9000};
    const auto mtu = readSize(key.value());
    if (!mtu || *mtu < kSmallest || *mtu > kLargest) return key.fail(Kind::badValue, "a size from 576 B to 9000 B");
    host->mtu = *mtu;
    return {};
  }
  if (key.rest() == "cwnd_lock") return setSegments(host->congestionWindowClamp, key);
  if (key.rest() == "initcwnd") return setSegments(host->initialCongestionWindow, key);
  if (!isSysctl(key.rest())) {
    return key.fail(Kind::unknownKey, "side, mtu, cwnd_lock, initcwnd or a system setting such as net.ipv4.tcp_rmem");
  }
  constexpr std::size_t kLongestValue = 200;
  if (key.value().empty() || key.value().size() > kLongestValue) return key.fail(Kind::badValue, "the setting's value");
  host->sysctls[std::string(key.rest())] = key.value();
  return {};
}

Result setTraffic(Scenario& scenario, KeyReader key) {
  TrafficSettings* const traffic = findNamed(scenario.traffic, key.next());
  if (traffic == nullptr) return key.fail(Kind::unknownName, namesText(scenario.traffic, "traffic"));
  return setByRow(*traffic, trafficKeys(), key);
}

Result setTruth(Scenario& scenario, const KeyReader& key) {
  if (!scenario.truth) scenario.truth = Truth{};
  return setByRow(*scenario.truth, truthKeys(), key);
}

Result setSweep(Scenario& scenario, const KeyReader& key) {
  constexpr std::size_t kMostAxes = 6;
  std::vector<std::string> values = listParts(key.value());
  const bool hasBlank = std::any_of(values.begin(), values.end(), [](const std::string& one) { return one.empty(); });
  if (values.empty() || hasBlank) return key.fail(Kind::badValue, "values with commas between them");
  const auto same = std::find_if(scenario.sweep.begin(), scenario.sweep.end(),
                                 [&](const SweepAxis& axis) { return axis.key == key.rest(); });
  if (same != scenario.sweep.end()) {
    same->values = std::move(values);
    return {};
  }
  if (scenario.sweep.size() >= kMostAxes) return key.fail(Kind::tooLong, "at most 6 axes");
  scenario.sweep.push_back({std::string(key.rest()), std::move(values)});
  return {};
}

Variant* findVariant(Scenario& scenario, std::string_view axis, std::string_view value) {
  const auto found = std::find_if(scenario.variants.begin(), scenario.variants.end(),
                                  [&](const Variant& one) { return one.axis == axis && one.value == value; });
  return found == scenario.variants.end() ? nullptr : &*found;
}

Result addToVariant(Scenario& scenario, KeyReader key) {
  const std::string_view axis = key.next();
  const std::string_view value = key.next();
  Variant* const variant = findVariant(scenario, axis, value);
  if (variant == nullptr) return key.fail(Kind::unknownName, "a [variant AXIS VALUE] before it");
  // Variants set the scenario, not other variants or the grid.
  const std::string_view target = key.rest();
  const bool allowed = target.starts_with("path.") || target.starts_with("access.") || target.starts_with("host.") ||
                       target.starts_with("traffic.");
  if (!allowed) return key.fail(Kind::unknownKey, "a key of path, access, host or traffic");
  variant->settings.push_back({std::string(target), std::string(key.value())});
  return {};
}

Result chooseVariant(Scenario& scenario, const KeyReader& key, std::string_view axis) {
  std::string values;
  for (const Variant& one : scenario.variants) {
    if (one.axis == axis) values += fmt::format("{}{}", values.empty() ? "" : " or ", one.value);
  }
  if (values.empty()) return key.fail(Kind::unknownKey, keysText(scenarioKeys(), ", or a section's key: path.delay"));
  const Variant* const variant = findVariant(scenario, axis, key.value());
  if (variant == nullptr) return key.fail(Kind::badValue, values);
  for (const Assignment& setting : std::vector<Assignment>(variant->settings)) {
    if (auto done = assign(scenario, setting); !done) return done;
  }
  return {};
}

Result declareHost(Scenario& scenario, const KeyReader& key, std::string_view name) {
  if (scenario.hosts.size() >= kMostHosts) return key.fail(Kind::tooLong, "at most 32 hosts");
  HostSettings host;
  host.name = name;
  scenario.hosts.push_back(std::move(host));
  AttachedHost attached;
  attached.name = name;
  scenario.path.hosts.push_back(std::move(attached));
  return {};
}

Result declareTraffic(Scenario& scenario, const KeyReader& key, std::string_view name) {
  if (scenario.traffic.size() >= kMostTrafficSections) return key.fail(Kind::tooLong, "at most 32 kinds of traffic");
  TrafficSettings traffic;
  traffic.name = name;
  scenario.traffic.push_back(std::move(traffic));
  return {};
}

Result declareVariant(Scenario& scenario, KeyReader key) {
  const std::string_view axis = key.next();
  const std::string_view value = key.next();
  if (!isName(axis) || !isName(value) || !key.rest().empty()) return key.fail(Kind::unknownSection, kSections);
  const auto rows = scenarioKeys();
  const bool isTaken = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.key == axis; });
  if (isTaken) return key.fail(Kind::badValue, "an axis that is no key of a scenario");
  if (scenario.variants.size() >= kMostVariants) return key.fail(Kind::tooLong, "at most 64 variants");
  scenario.variants.push_back({std::string(axis), std::string(value), {}});
  return {};
}

}  // namespace

Result openSection(Scenario& scenario, std::string_view section) {
  KeyReader key(section, {});
  const std::string_view first = key.next();
  if (first == "path") {
    const bool known = key.rest().empty() || key.rest() == "forward" || key.rest() == "backward";
    if (section == "path" || (known && section != "path.")) return {};
    return key.fail(Kind::unknownSection, kSections);
  }
  if (first == "sweep" && section == "sweep") return {};
  if (first == "truth" && section == "truth") {
    if (!scenario.truth) scenario.truth = Truth{};
    return {};
  }
  if (first == "variant") return declareVariant(scenario, key);
  if (first == "access") {
    const std::string_view host = key.next();
    const bool known = key.rest().empty() || key.rest() == "forward" || key.rest() == "backward";
    if (!known) return key.fail(Kind::unknownSection, kSections);
    if (findNamed(scenario.hosts, host) == nullptr) {
      return key.fail(Kind::unknownName, namesText(scenario.hosts, "host"));
    }
    return {};
  }
  const bool declares = first == "host" || first == "traffic";
  if (!declares) return key.fail(Kind::unknownSection, kSections);
  if (!isName(key.rest())) return key.fail(Kind::badValue, kNameAllowed);
  return first == "host" ? declareHost(scenario, key, key.rest()) : declareTraffic(scenario, key, key.rest());
}

Result assign(Scenario& scenario, const Assignment& assignment) {
  KeyReader key(assignment.key, assignment.value);
  if (assignment.key.find('.') == std::string::npos) {
    const auto rows = scenarioKeys();
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.key == key.rest(); });
    return known ? setByRow(scenario, rows, key) : chooseVariant(scenario, key, assignment.key);
  }
  const std::string_view section = key.next();
  if (section == "path") return setLink(scenario.path.path, key);
  if (section == "access") return setAccess(scenario, key);
  if (section == "host") return setHost(scenario, key);
  if (section == "traffic") return setTraffic(scenario, key);
  if (section == "truth") return setTruth(scenario, key);
  if (section == "sweep") return setSweep(scenario, key);
  if (section == "variant") return addToVariant(scenario, key);
  return key.fail(Kind::unknownKey, "a key of path, access, host, traffic, truth, sweep or variant");
}

}  // namespace tcpscope::lab
