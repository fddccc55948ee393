#include "core/present/json/problems_document.h"

#include <fmt/format.h>

#include "core/present/json/connection_json.h"
#include "core/present/json/json_values.h"
#include "core/present/text/problem_text.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void problem(JsonWriter& out, const Problem& problem) {
  out.object([&] {
    out.member("kind", name(problem.kind));
    out.member("severity", name(problem.severity));
    out.member("confidence_ratio", problem.confidenceRatio);
    out.member("place", json::placeText(problem.place));
    out.member("subject", subject(problem));
    out.member("count", problem.count);
    out.member("text", fmt::format("{}. {}", phrase(problem), nextStep(problem)));
    out.array("connections", problem.connections, [&](ConnectionId id) { out.value(id.toString()); });
    if (problem.endpoint.port != 0) out.member("endpoint", problem.endpoint.toString());
    if (problem.cause != Cause::unknown) out.member("cause", name(problem.cause));
    if (problem.oldest) out.member("oldest_s", toSeconds(*problem.oldest));
    out.member("capacity", problem.capacity);
    if (problem.owner) out.member("process", [&] { json::process(out, *problem.owner); });
  });
}

}  // namespace

std::string toJson(const std::vector<Problem>& problems, const SessionSnapshot& snapshot, WallTime time) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.problems", 1);
    out.member("time", json::timeText(time));
    out.array("places", snapshot.places, [&](const Place& one) { json::place(out, one); });
    out.array("gaps", snapshot.gaps, [&](const CollectionGap& one) { json::gap(out, one); });
    out.array("problems", problems, [&](const Problem& one) { problem(out, one); });
  });
}

}  // namespace tcpscope
