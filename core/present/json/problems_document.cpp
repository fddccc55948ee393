#include "core/present/json/problems_document.h"

#include <fmt/format.h>

#include "core/present/json/connection_json.h"
#include "core/present/json/json_values.h"
#include "core/present/text/problem_text.h"

namespace tcpscope {

namespace {

using json::Json;

Json problemJson(const Problem& problem) {
  Json ids = Json::array();
  for (const ConnectionId id : problem.connections) ids.push_back(id.toString());
  Json object = {{"kind", name(problem.kind)},
                 {"severity", name(problem.severity)},
                 {"confidence_ratio", json::figure(problem.confidenceRatio)},
                 {"place", json::placeText(problem.place)},
                 {"subject", subject(problem)},
                 {"count", problem.count},
                 {"text", fmt::format("{}. {}", phrase(problem), nextStep(problem))},
                 {"connections", std::move(ids)}};
  if (problem.endpoint.port != 0) object["endpoint"] = problem.endpoint.toString();
  if (problem.cause != Cause::unknown) object["cause"] = name(problem.cause);
  if (problem.oldest) object["oldest_s"] = json::figure(toSeconds(*problem.oldest));
  if (problem.capacity) object["capacity"] = *problem.capacity;
  if (problem.owner) object["process"] = json::process(*problem.owner);
  return object;
}

}  // namespace

std::string toJson(const std::vector<Problem>& problems, const SessionSnapshot& snapshot, WallTime time) {
  Json all = Json::array();
  for (const Problem& problem : problems) all.push_back(problemJson(problem));
  const Json document = {{"schema", "tcpscope.problems"},
                         {"schema_version", 1},
                         {"time", json::timeText(time)},
                         {"places", json::arrayOf(snapshot.places, json::place)},
                         {"gaps", json::arrayOf(snapshot.gaps, json::gap)},
                         {"problems", std::move(all)}};
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
