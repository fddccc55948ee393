#include "core/present/text/record_text.h"

namespace tcpscope {

std::string nothingToRecordSentence() {
  return "a file is shown, or nothing yet: close the file to record this host";
}

}  // namespace tcpscope
