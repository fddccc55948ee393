#include "core/filter/capture_filter.h"

#include <algorithm>

#include "core/filter/filter_evaluator.h"

namespace tcpscope {

namespace {

using FieldName = std::optional<std::string>;

FieldName outside(const FilterPointer& node);

FieldName firstOutside(const std::vector<FilterPointer>& parts) {
  for (const FilterPointer& part : parts) {
    if (FieldName field = outside(part)) return field;
  }
  return std::nullopt;
}

struct Outside {
  FieldName operator()(const FilterAnd& all) const { return firstOutside(all.parts); }
  FieldName operator()(const FilterOr& any) const { return firstOutside(any.parts); }
  FieldName operator()(const FilterNot& negation) const { return outside(negation.part); }
  FieldName operator()(const FilterStates&) const { return "state"; }
  FieldName operator()(const FilterPort&) const { return std::nullopt; }
  FieldName operator()(const FilterHost&) const { return std::nullopt; }
  FieldName operator()(const FilterMetric& condition) const { return std::string(metricRow(condition.metric).key); }
  FieldName operator()(const FilterLimit&) const { return std::nullopt; }
  FieldName operator()(const FilterText& condition) const {
    switch (condition.field) {
      case TextField::process:
        return "process";
      case TextField::user:
        return "user";
      case TextField::unit:
        return "unit";
      case TextField::congestionControl:
        break;
    }
    return "cc";
  }
  FieldName operator()(const FilterNumber& condition) const {
    return condition.field == FilterNumber::Field::pid ? "pid" : "uid";
  }
};

FieldName outside(const FilterPointer& node) {
  return std::visit(Outside(), node->node);
}

bool mentionsLimit(const FilterPointer& node) {
  const auto any = [](const std::vector<FilterPointer>& parts) {
    return std::any_of(parts.begin(), parts.end(), mentionsLimit);
  };
  if (const auto* all = std::get_if<FilterAnd>(&node->node)) return any(all->parts);
  if (const auto* some = std::get_if<FilterOr>(&node->node)) return any(some->parts);
  if (const auto* negation = std::get_if<FilterNot>(&node->node)) return mentionsLimit(negation->part);
  return std::holds_alternative<FilterLimit>(node->node);
}

}  // namespace

std::optional<std::string> fieldOutsideCaptures(const ConnectionFilter& filter) {
  return filter.root() ? outside(filter.root()) : std::nullopt;
}

bool asksForLimit(const ConnectionFilter& filter) {
  return filter.root() && mentionsLimit(filter.root());
}

bool mayMatchCaptured(const ConnectionFilter& filter, const Endpoint& initiator, const Endpoint& responder) {
  return !filter.root() ||
         addressesMayMatch(filter.root(), {initiator, responder, TcpState::unknown, nullptr, Limit::unknown});
}

bool matchesCaptured(const ConnectionFilter& filter, const Endpoint& initiator, const Endpoint& responder,
                     Limit limit) {
  if (!filter.root()) return true;
  return filter.matches({initiator, responder, TcpState::unknown, nullptr, limit});
}

}  // namespace tcpscope
