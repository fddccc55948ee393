// THE list of the scenarios that come with the program, as their texts; the files are in scenarios/, the list in
// CMakeLists.txt, in the order that people read it.
#pragma once

#include <span>
#include <string_view>

namespace tcpscope::lab {

struct BundledScenario {
  /// As the file is called; the text begins with the same name.
  std::string_view name;
  std::string_view text;
};

std::span<const BundledScenario> scenarioCatalogue();
/// Null where there is none of that name.
const BundledScenario* findScenario(std::string_view name);

}  // namespace tcpscope::lab
