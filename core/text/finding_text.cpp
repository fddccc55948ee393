#include "core/text/sentences.h"

namespace tcpscope {

std::string sentence(const Finding& finding, Side /*side*/) {
  return std::string(title(finding.rule)) + ".";
}

}  // namespace tcpscope
