// Where this build has its programs and this tree its test data: in one source, so that no other file's compilation
// depends on where the tree lies.
#pragma once

#include <filesystem>
#include <string>

namespace tcpscope::test {

/// tests/data of the source tree.
std::filesystem::path testData();
/// The command line program of this build.
std::string commandLineProgram();
/// The helper of this build.
std::string helperProgram();
/// The window of this build; empty where it is built without.
std::string desktopProgram();

}  // namespace tcpscope::test
