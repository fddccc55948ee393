#include "tests/support/built_paths.h"

namespace tcpscope::test {

std::filesystem::path testData() {
  return TCPSCOPE_TEST_DATA;
}

std::string commandLineProgram() {
  return TCPSCOPE_CLI;
}

std::string helperProgram() {
  return TCPSCOPE_HELPER;
}

std::string desktopProgram() {
  return TCPSCOPE_DESKTOP;
}

}  // namespace tcpscope::test
