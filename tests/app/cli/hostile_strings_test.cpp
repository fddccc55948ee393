// Hostile texts, wherever others can write one, reach a terminal, a log and a shell harmless.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "collectors/trace/recording_output.h"
#include "collectors/trace/wire_bytes.h"
#include "core/base/escape.h"
#include "tests/support/built_paths.h"
#include "tests/support/hostile_strings.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using namespace test;

/// As an argument or the name of a file: neither holds a NUL, nor is as long as some are.
std::vector<std::string> hostileArguments() {
  std::vector<std::string> all = hostileStrings();
  std::erase_if(all, [](const std::string& text) {
    return text.size() > 200 || text.find('\0') != std::string::npos || text.starts_with('-') ||
           text.find('/') != std::string::npos;
  });
  EXPECT_GE(all.size(), 150U);
  return all;
}

std::ptrdiff_t linesOf(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// A recording of a host where each of these is the name of a program, its user and a setting.
void writeRecording(const std::string& path, const std::vector<std::string>& texts) {
  const Moment begin = exampleHello().clock.monotonic;
  auto output = RecordingOutput::create(path, {[begin] { return begin; }, {}, UntrustedText(texts.front())});
  ASSERT_TRUE(output);
  TraceWriter writer((*output)->buffer());
  TraceHello hello = exampleHello();
  hello.place.host = UntrustedText(texts.front());
  hello.place.kernel = UntrustedText(texts.front());
  hello.program = UntrustedText(texts.front());
  writer.write(hello);
  ObservationBatch batch;
  for (const std::string& text : texts) {
    const std::uint64_t cookie = batch.changed.size() + 1;
    const UntrustedText written(text.substr(0, kMaxWireText));
    batch.changed.push_back(ObservationBuilder().cookie(cookie).acked(cookie).congestionControl(text).build());
    batch.owners.push_back({{PlaceId{0}, cookie}, {static_cast<std::int32_t>(cookie), written, written, written}});
    batch.changeMarks.push_back({begin, ConnectionId{PlaceId{0}, cookie}, written, written, written});
  }
  batch.dumpEndedAt = begin;
  writer.write(batch);
  ASSERT_TRUE((*output)->flush());
  ASSERT_TRUE((*output)->finish());
}

class HostileStrings : public testing::Test {
protected:
  TemporaryFile m_file{""};
};

TEST_F(HostileStrings, StayOneCellOfATable) {
  const std::vector<std::string> texts = hostileStrings();
  writeRecording(m_file.path(), texts);
  const Outcome listed = runCommandLine({"list", "--from", m_file.path()});
  EXPECT_EQ(listed.code, 0) << listed.error;
  EXPECT_EQ(harmIn(listed.out), "");
  EXPECT_EQ(linesOf(listed.out), static_cast<std::ptrdiff_t>(texts.size()) + 1) << "titles, and a line a connection";
  const Outcome watched = runCommandLine({"watch", "--from", m_file.path(), "--count", "1", "--interval", "0.1"});
  EXPECT_EQ(watched.code, 0) << watched.error;
  EXPECT_EQ(harmIn(watched.out), "");
}

TEST_F(HostileStrings, DoNotActOnTheTerminalInAText) {
  writeRecording(m_file.path(), hostileStrings());
  for (const char* const command : {"diagnose", "advise"}) {
    const Outcome shown = runCommandLine({command, "--from", m_file.path()});
    EXPECT_EQ(shown.code, 0) << shown.error;
    EXPECT_EQ(harmIn(shown.out), "") << command;
    EXPECT_EQ(harmIn(shown.error), "") << command;
  }
}

TEST_F(HostileStrings, AreOneLineOnStandardError) {
  for (const std::string& text : hostileArguments()) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {text}, {"list", "--from", "/nonexistent/" + text}, {"list", "--", text}}) {
      const Outcome refused = runCommandLine(words);
      EXPECT_NE(refused.code, 0) << words.back();
      EXPECT_EQ(harmIn(refused.error), "") << words.back();
      EXPECT_EQ(linesOf(refused.error), 1) << refused.error;
    }
  }
}

/// A recording whose name is hostile is named in what is printed of it.
TEST_F(HostileStrings, AreHarmlessAsNamesOfFiles) {
  const std::filesystem::path folder = m_file.path() + ".d";
  std::filesystem::create_directory(folder);
  for (const std::string& text : hostileArguments()) {
    const std::string file = folder / text;
    writeRecording(file, {"nginx"});
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    const Outcome shown = runCommandLine({"diagnose", "--from", file});
    EXPECT_EQ(harmIn(shown.out + shown.error), "") << forPlainText(text);
  }
  std::filesystem::remove_all(folder);
}

/// Names of namespaces, sysctls and files come from the system: none may run, split or act on the terminal.
TEST_F(HostileStrings, AreNotRunByShellCompletion) {
  const std::filesystem::path folder = m_file.path() + ".d";
  std::filesystem::create_directory(folder);
  std::vector<std::string> names = hostileArguments();
  for (const char* const name :
       {"$(touch ran)", "`touch ran`", "${x:=$(touch ran)}", "a b", "*", "tcp_$(touch${IFS}ran)"}) {
    names.emplace_back(name);
  }
  for (const std::string& name : names) std::ofstream(folder / name).flush();
  std::ofstream(folder / "names") << [&] {
    std::string lines;
    for (const std::string& name : names) lines += name + '\n';
    for (const std::string& name : names) lines += "net.ipv4.conf.tcp_" + name + '\n';
    return lines;
  }();
  std::ofstream(folder / "complete.bash") << "cd " << folder.string() << R"(
ls() { cat names; }
sysctl() { cat names; }
. ")" << (testData().parent_path().parent_path() / "app/packaging/completions/tcpscope-cli").string()
                                          << R"("
try() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _tcpscope_cli 2>/dev/null
  printf '%s\n' "${COMPREPLY[@]}" >>"$kind"
}
kind=values
try tcpscope-cli list --netns ''
try tcpscope-cli apply net
try tcpscope-cli checkup --pid ''
kind=files
try tcpscope-cli list --from ''
try tcpscope-cli analyze x
)";
  const Outcome completed = runProgram("/bin/bash", {"--norc", folder / "complete.bash"});
  EXPECT_EQ(completed.code, 0) << completed.error;
  EXPECT_FALSE(std::filesystem::exists(folder / "ran")) << "a name was run";
  std::ifstream values(folder / "values");
  for (std::string line; std::getline(values, line);) {
    EXPECT_EQ(line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"),
              std::string::npos)
        << forPlainText(line);
  }
  std::ifstream files(folder / "files");
  bool isWhole = false;
  for (std::string line; std::getline(files, line);) isWhole = isWhole || line == "a b";
  EXPECT_TRUE(isWhole) << "the name of a file is one word";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tcpscope
