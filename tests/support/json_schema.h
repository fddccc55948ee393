// Checks a JSON document against a JSON Schema with Debian's python3-jsonschema: an opinion that is not our own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace tcpscope::test {

/// A file that goes away with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string_view content) {
    const char* folder = std::getenv("TMPDIR");
    m_path = std::string(folder != nullptr ? folder : "/tmp") + "/tcpscope-test-XXXXXX";
    const int descriptor = mkstemp(m_path.data());
    EXPECT_GE(descriptor, 0);
    if (descriptor >= 0) close(descriptor);
    std::ofstream(m_path, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(m_path.c_str()); }

  [[nodiscard]] const std::string& path() const { return m_path; }

private:
  std::string m_path;
};

/// Does the document conform? Else the validator's words.
inline testing::AssertionResult conformsTo(std::string_view schema, std::string_view document) {
  static constexpr std::string_view kScript =
      "import json, sys, jsonschema\n"
      "schema = json.load(open(sys.argv[1]))\n"
      "jsonschema.Draft202012Validator.check_schema(schema)\n"
      "try:\n"
      "    jsonschema.Draft202012Validator(schema).validate(json.load(open(sys.argv[2])))\n"
      "except jsonschema.ValidationError as error:\n"
      "    print(error.json_path, error.message[:500])\n"
      "    sys.exit(1)\n";
  const TemporaryFile script(kScript);
  const TemporaryFile schemaFile(schema);
  const TemporaryFile documentFile(document);
  const std::string command =
      "python3 " + script.path() + " " + schemaFile.path() + " " + documentFile.path() + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return testing::AssertionFailure() << "python3 does not start";
  std::string output;
  std::array<char, 512> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), size);
  if (pclose(pipe) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << output;
}

}  // namespace tcpscope::test
