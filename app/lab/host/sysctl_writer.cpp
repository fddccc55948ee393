#include "app/lab/host/sysctl_writer.h"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <vector>

#include "app/lab/host/small_file.h"

namespace tcpscope::lab {

namespace {

Unexpected<LabError> refused(const std::string& key, int errorNumber) {
  return Unexpected<LabError>(LabError{LabErrorKind::sysctlRefused, errorNumber, UntrustedText(key)});
}

bool isNetworkKey(const std::string& key) {
  const auto isAllowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' ||
           letter == '-';
  };
  return key.rfind("net.", 0) == 0 && key.find("..") == std::string::npos &&
         std::all_of(key.begin(), key.end(), isAllowed);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

}  // namespace

Expected<void, LabError> writeSysctl(const std::string& key, const std::string& value) {
  if (!isNetworkKey(key)) return refused(key, ENOENT);
  std::string path = "/proc/sys/" + key;
  std::replace(path.begin() + 10, path.end(), '.', '/');
  if (const auto written = writeSmallFile(path, value); !written) return refused(key, written.error());
  const auto now = readSmallFile(path);
  if (!now || words(*now) != words(value)) return refused(key, 0);
  return {};
}

Expected<void, LabError> writeSysctls(const std::map<std::string, std::string>& values) {
  for (const auto& [key, value] : values) {
    if (auto written = writeSysctl(key, value); !written) return written;
  }
  return {};
}

}  // namespace tcpscope::lab
