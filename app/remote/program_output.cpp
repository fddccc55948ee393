#include "app/remote/program_output.h"

#include "core/base/escape.h"

namespace tcpscope {

std::string_view documentIn(std::string_view output) {
  const std::size_t begin = output.starts_with('{') ? 0 : output.rfind("\n{");
  return begin == std::string_view::npos ? std::string_view() : output.substr(begin);
}

std::string lastSentenceIn(std::string_view errors) {
  constexpr std::string_view kSaidBy = "tcpscope-cli: ";
  const std::size_t begin = errors.rfind(kSaidBy);
  if (begin != std::string_view::npos) errors.remove_prefix(begin + kSaidBy.size());
  return forPlainText(errors.substr(0, errors.find('\n')));
}

}  // namespace tcpscope
