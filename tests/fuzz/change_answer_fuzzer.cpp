// Any bytes as what `tcpscope-cli … --json` answers on another host: each request ends with a report of its own kind or
// an error, and no text of it harms a reader.
//
// The input: the exit code on a line, standard output, and behind a line "--" standard error.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/changes/transport/change_transport.h"
#include "core/base/escape.h"
#include "core/base/invariant.h"
#include "core/present/json/change_document.h"
#include "core/present/text/change_text.h"
#include "tests/support/hostile_strings.h"

namespace {

using namespace tcpscope;

CommandResult answerIn(std::string_view input) {
  CommandResult answer;
  const std::size_t codeEnd = std::min(input.find('\n'), input.size());
  std::from_chars(input.data(), input.data() + codeEnd, answer.exitCode);
  input.remove_prefix(std::min(codeEnd + 1, input.size()));
  constexpr std::string_view kErrors = "\n--\n";
  const std::size_t errors = input.find(kErrors);
  answer.output = input.substr(0, errors);
  if (errors != std::string_view::npos) answer.errorText = input.substr(errors + kErrors.size());
  return answer;
}

void expectPlain(std::string_view text) {
  TCPSCOPE_INVARIANT(forPlainText(text) == text);
}
void expectPlain(const std::optional<std::string>& text) {
  expectPlain(std::string_view(text.value_or("")));
}
void expectPlain(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) expectPlain(std::string_view(text));
}

void expectPlain(const ChangeReport& report) {
  for (const SettingPreview& preview : report.previews) {
    expectPlain(std::string_view(preview.key));
    expectPlain(preview.now);
    expectPlain(std::string_view(preview.wanted));
    expectPlain(std::string_view(sentence(preview)));
    expectPlain(notes(preview));
  }
  for (const ChangeRecord& change : report.changes) {
    expectPlain(std::string_view(change.bootId));
    for (const ChangedSetting& setting : change.settings) {
      expectPlain(std::string_view(setting.key));
      expectPlain(std::string_view(setting.original));
      expectPlain(std::string_view(setting.wanted));
    }
  }
  for (const RestoredSetting& restored : report.restored) {
    expectPlain(restored.now);
    expectPlain(std::string_view(sentence(restored)));
  }
  for (const ReportedOption& option : report.options) {
    expectPlain(std::string_view(option.name));
    expectPlain(option.value);
    expectPlain(option.original);
    expectPlain(std::string_view(option.text));
  }
  for (const ReportedOptionChange& change : report.optionChanges) {
    expectPlain(std::string_view(change.name));
    expectPlain(change.before);
    expectPlain(change.wanted);
    expectPlain(change.after);
  }
  expectPlain(report.notes);
  expectPlain(report.leftAlone);
}

/// A report that goes on to another reader says the same there.
void expectSameAgain(const ChangeReport& report) {
  const std::string json = toJson(report);
  const auto again = readChangeReport(json);
  TCPSCOPE_INVARIANT(again && again->content == report.content);
  TCPSCOPE_INVARIANT(toJson(*again) == json);
}

void check(const ChangeResult& result, ChangeReport::Content kind) {
  if (!result) {
    TCPSCOPE_INVARIANT(test::harmIn(sentence(result.error())).empty());
    return;
  }
  expectPlain(*result);
  const bool isPreview = result->content == ChangeReport::Content::preview;
  const bool isOfOptions = result->content == ChangeReport::Content::options;
  TCPSCOPE_INVARIANT(isPreview == (kind == ChangeReport::Content::preview));
  TCPSCOPE_INVARIANT(isOfOptions == (kind == ChangeReport::Content::options));
  if (!isOfOptions) expectSameAgain(*result);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const CommandResult answer = answerIn({reinterpret_cast<const char*>(bytes), size});
  const auto transport = sshTransport("host", Place(), SshManner::alone,
                                      [&answer](const auto&, SshManner, const std::stop_token&) { return answer; });
  ChangeRequest sysctls;
  sysctls.settings = {{"net.ipv4.tcp_rmem", "4096 131072 6291456"}};
  ChangeRequest options;
  options.kind = ChangeKind::socketOption;
  options.connection = "192.0.2.1:1-192.0.2.2:2";
  options.settings = {{"sndbuf", "65536"}};
  const std::stop_token stop;
  using Content = ChangeReport::Content;
  check(transport->preview(sysctls, stop), Content::preview);
  check(transport->apply(sysctls, stop), Content::changes);
  check(transport->confirm(sysctls, 1, stop), Content::changes);
  check(transport->revert(sysctls, 1, stop), Content::changes);
  check(transport->list(stop), Content::changes);
  check(transport->preview(options, stop), Content::options);
  check(transport->apply(options, stop), Content::options);
  check(transport->confirm(options, 1, stop), Content::options);
  check(transport->revert(options, 1, stop), Content::options);
  return 0;
}
