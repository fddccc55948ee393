// Evaluates a filter's tree over one connection, and says which states it can match at all.
//
// What is not known satisfies no condition, not even "!=": `rtt > 50ms` and `rtt <= 50ms` both leave out a connection
// without a measurement, `not rtt > 50ms` takes it in.
#include "core/filter/filter_evaluator.h"

#include <algorithm>

#include "core/filter/filter_words.h"

namespace tcpscope {
namespace {

template <class Value>
bool compare(Comparison comparison, const Value& left, const Value& right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::notEqual:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::lessOrEqual:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greaterOrEqual:
      return left >= right;
    case Comparison::matches:
      break;
  }
  return false;
}

bool containsIgnoringCase(std::string_view text, std::string_view part) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

const Endpoint& endpointOf(const FilterSubject& subject, Peer peer) {
  return peer == Peer::source ? subject.local : subject.remote;
}

std::optional<std::string_view> textOf(const FilterSubject& subject, TextField field) {
  if (field == TextField::congestionControl) {
    if (subject.socket == nullptr || subject.socket->congestionControl.empty()) return std::nullopt;
    return subject.socket->congestionControl.text();
  }
  if (subject.owner == nullptr) return std::nullopt;
  if (field == TextField::process) return subject.owner->processName.rawBytes();
  const std::optional<UntrustedText>& text =
      field == TextField::user ? subject.owner->userName : subject.owner->unitOrContainer;
  if (!text) return std::nullopt;
  return text->rawBytes();
}

class Evaluator {
public:
  explicit Evaluator(const FilterSubject& subject) : m_subject(subject) {}

  [[nodiscard]] bool holds(const FilterPointer& node) const { return std::visit(*this, node->node); }

  bool operator()(const FilterAnd& all) const {
    return std::all_of(all.parts.begin(), all.parts.end(), [&](const FilterPointer& part) { return holds(part); });
  }
  bool operator()(const FilterOr& any) const {
    return std::any_of(any.parts.begin(), any.parts.end(), [&](const FilterPointer& part) { return holds(part); });
  }
  bool operator()(const FilterNot& negation) const { return !holds(negation.part); }
  bool operator()(const FilterStates& states) const {
    return (states.mask >> static_cast<unsigned>(m_subject.state) & 1U) != 0;
  }
  bool operator()(const FilterPort& condition) const {
    return compare(condition.comparison, endpointOf(m_subject, condition.peer).port, condition.port);
  }
  bool operator()(const FilterHost& condition) const {
    const Endpoint& endpoint = endpointOf(m_subject, condition.peer);
    const bool address = condition.anyAddress || endpoint.address.isWithin(condition.network, hostBits(condition));
    const bool same = address && (!condition.port || *condition.port == endpoint.port);
    return same != condition.negated;
  }
  bool operator()(const FilterMetric& condition) const {
    // Of a captured connection only the metrics of the interval are known.
    static const SocketObservation kNotSampled;
    const SocketObservation& socket = m_subject.socket != nullptr ? *m_subject.socket : kNotSampled;
    const std::optional<double> value = metricRow(condition.metric).read(MetricSource{socket, m_subject.interval});
    return value && compare(condition.comparison, *value, condition.value);
  }
  bool operator()(const FilterLimit& condition) const {
    return compare(condition.comparison, m_subject.limit, condition.limit);
  }
  bool operator()(const FilterText& condition) const {
    const std::optional<std::string_view> text = textOf(m_subject, condition.field);
    if (!text) return false;
    if (condition.comparison == Comparison::matches) return containsIgnoringCase(*text, condition.text);
    return compare(condition.comparison, *text, std::string_view(condition.text));
  }
  bool operator()(const FilterNumber& condition) const {
    if (condition.field == FilterNumber::Field::uid) {
      if (m_subject.socket == nullptr) return false;
      return compare(condition.comparison, std::uint64_t{m_subject.socket->userId}, condition.value);
    }
    if (m_subject.owner == nullptr || m_subject.owner->pid <= 0) return false;
    return compare(condition.comparison, static_cast<std::uint64_t>(m_subject.owner->pid), condition.value);
  }

private:
  /// isWithin() compares IPv4-mapped addresses as IPv4: a prefix written for the mapped form counts from its 96th bit.
  static unsigned hostBits(const FilterHost& condition) {
    const bool mapped = condition.network.unmapped().family() != condition.network.family();
    return mapped ? std::max(condition.prefixBits, 96U) - 96U : condition.prefixBits;
  }

  const FilterSubject& m_subject;
};

/// Nothing where addresses and ports do not decide.
class AddressEvaluator {
public:
  explicit AddressEvaluator(const FilterSubject& subject) : m_conditions(subject) {}

  [[nodiscard]] std::optional<bool> decide(const FilterPointer& node) const { return std::visit(*this, node->node); }

  std::optional<bool> operator()(const FilterAnd& all) const { return decide(all.parts, false); }
  std::optional<bool> operator()(const FilterOr& any) const { return decide(any.parts, true); }
  std::optional<bool> operator()(const FilterNot& negation) const {
    const std::optional<bool> holds = decide(negation.part);
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  std::optional<bool> operator()(const FilterPort& condition) const { return m_conditions(condition); }
  std::optional<bool> operator()(const FilterHost& condition) const { return m_conditions(condition); }
  template <class Other>
  std::optional<bool> operator()(const Other&) const {
    return std::nullopt;
  }

private:
  /// One part that is `decisive` settles all of them.
  [[nodiscard]] std::optional<bool> decide(const std::vector<FilterPointer>& parts, bool decisive) const {
    std::optional<bool> result = !decisive;
    for (const FilterPointer& part : parts) {
      const std::optional<bool> holds = decide(part);
      if (holds == decisive) return decisive;
      if (!holds) result = std::nullopt;
    }
    return result;
  }

  Evaluator m_conditions;
};

std::uint32_t possibleStates(const FilterPointer& pointer, bool negated);

std::uint32_t possibleStates(const std::vector<FilterPointer>& parts, bool negated, bool every) {
  std::uint32_t mask = every ? kAllStates : 0;
  for (const FilterPointer& part : parts) {
    const std::uint32_t states = possibleStates(part, negated);
    mask = every ? mask & states : mask | states;
  }
  return mask;
}

std::uint32_t possibleStates(const FilterPointer& pointer, bool negated) {
  if (const auto* states = std::get_if<FilterStates>(&pointer->node)) {
    return kAllStates & (negated ? ~states->mask : states->mask);
  }
  // Not all of them is any of their opposites, and the other way round.
  if (const auto* all = std::get_if<FilterAnd>(&pointer->node)) return possibleStates(all->parts, negated, !negated);
  if (const auto* any = std::get_if<FilterOr>(&pointer->node)) return possibleStates(any->parts, negated, negated);
  if (const auto* negation = std::get_if<FilterNot>(&pointer->node)) return possibleStates(negation->part, !negated);
  return kAllStates;
}

}  // namespace

bool ConnectionFilter::matches(const FilterSubject& subject) const {
  return !m_root || Evaluator(subject).holds(m_root);
}

bool addressesMayMatch(const FilterPointer& root, const FilterSubject& subject) {
  return !root || AddressEvaluator(subject).decide(root).value_or(true);
}

std::uint32_t ConnectionFilter::stateMask() const {
  return m_root ? possibleStates(m_root, false) : kAllStates;
}

}  // namespace tcpscope
