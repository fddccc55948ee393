#include "app/desktop/user_files.h"

#include "app/store/replaced_file.h"

namespace tcpscope {

Expected<void, SystemError> UserFiles::write(const std::string& path, std::string_view content) {
  const auto written = replaceFile(path, content);
  if (!written) return Unexpected<SystemError>({SystemAttempt::writeOutput, written.error(), UntrustedText(path)});
  return {};
}

}  // namespace tcpscope
