#include "core/present/json/doctor_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

std::string toJson(const CapabilityReport& report, const UntrustedText& kernel, WallTime time) {
  return json::line([&](json::JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.doctor", 1);
    out.member("time", json::timeText(time));
    out.member("kernel", forPlainText(kernel));
    out.array("checks", report, [&](const CapabilityState& state) {
      out.object([&] {
        out.member("name", name(state.capability));
        out.member("state", name(state.status));
        out.member("text", sentence(state));
        if (const std::string_view command = remedyCommand(state); !command.empty()) out.member("command", command);
      });
    });
  });
}

}  // namespace tcpscope
