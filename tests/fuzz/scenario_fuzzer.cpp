// Any text is a scenario or an error with one line of explanation; an accepted one survives being written and read.
#include <cstddef>
#include <cstdint>

#include "app/lab/scenario/scenario_parser.h"
#include "app/lab/scenario/scenario_writer.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto scenario = lab::parseScenario(text);
  if (!scenario) {
    TCPSCOPE_INVARIANT(!scenario.error().allowed.empty());
    TCPSCOPE_INVARIANT(sentence(scenario.error()).find('\n') == std::string::npos);
    return 0;
  }
  const std::string written = lab::writeScenario(*scenario);
  const auto again = lab::parseScenario(written);
  TCPSCOPE_INVARIANT(again.has_value());
  TCPSCOPE_INVARIANT(lab::writeScenario(*again) == written);
  return 0;
}
