#include "core/present/json/doctor_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

std::string toJson(const CapabilityReport& report, const UntrustedText& kernel, WallTime time) {
  using json::Json;
  Json checks = Json::array();
  for (const CapabilityState& state : report) {
    Json check = {{"name", name(state.capability)}, {"state", name(state.status)}, {"text", sentence(state)}};
    if (const std::string_view command = remedyCommand(state); !command.empty()) check["command"] = command;
    checks.push_back(std::move(check));
  }
  const Json document = {{"schema", "tcpscope.doctor"},
                         {"schema_version", 1},
                         {"time", json::timeText(time)},
                         {"kernel", forPlainText(kernel)},
                         {"checks", std::move(checks)}};
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
