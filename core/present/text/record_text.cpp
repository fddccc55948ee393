#include "core/present/text/record_text.h"

namespace tcpscope {

std::string nothingToRecordSentence() {
  return "what is shown is a file, or not there yet: go back to this machine to record it";
}

}  // namespace tcpscope
