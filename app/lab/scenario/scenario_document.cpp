#include "app/lab/scenario/scenario_document.h"

#include <algorithm>
#include <set>

#include "app/lab/scenario/scenario_values.h"

namespace tcpscope::lab {

namespace {

using Kind = ScenarioError::Kind;
using ScenarioFailure = Unexpected<ScenarioError>;

constexpr std::size_t kLongestText = 65'536;
constexpr std::size_t kMostLines = 2'000;
constexpr std::string_view kLineAllowed = "a section such as [path], a setting such as delay = 10 ms, or a # comment";

bool isPlain(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; });
}

/// "[host sender]" gives "host.sender".
std::string sectionKey(std::string_view words) {
  std::string key;
  bool gap = false;
  for (const char c : trimmed(words)) {
    if (c == ' ' || c == '\t') {
      gap = true;
      continue;
    }
    if (gap) key += '.';
    gap = false;
    key += c;
  }
  return key;
}

class Reader {
public:
  Expected<void, ScenarioError> take(std::string_view line) {
    ++m_line;
    if (m_line > kMostLines) return ScenarioFailure(error(Kind::tooLong, {}, "at most 2000 lines"));
    // A file from elsewhere may end its lines with a carriage return.
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') return {};
    if (!isPlain(line)) return ScenarioFailure(error(Kind::badLine, {}, "text without control characters"));
    if (line.front() == ' ' || line.front() == '\t') return continueValue(content);
    if (content.front() == '[') return openSection(content);
    return addSetting(content);
  }
  std::vector<DocumentEntry> takeEntries() { return std::move(m_entries); }

private:
  [[nodiscard]] ScenarioError error(Kind kind, std::string_view text, std::string_view allowed) const {
    return {kind, m_line, {}, std::string(text), std::string(allowed)};
  }
  Expected<void, ScenarioError> continueValue(std::string_view content) {
    if (m_entries.empty() || m_entries.back().isSection)
      return ScenarioFailure(error(Kind::badLine, content, kLineAllowed));
    std::string& value = m_entries.back().value;
    if (!value.empty()) value += ' ';
    value += content;
    return {};
  }
  Expected<void, ScenarioError> openSection(std::string_view content) {
    if (content.back() != ']')
      return ScenarioFailure(error(Kind::badLine, content, "a closing ] at the end of the line"));
    std::string key = sectionKey(content.substr(1, content.size() - 2));
    if (key.empty()) return ScenarioFailure(error(Kind::badLine, content, kLineAllowed));
    m_prefix = key + '.';
    return add({std::move(key), {}, m_line, true});
  }
  Expected<void, ScenarioError> addSetting(std::string_view content) {
    const std::size_t sign = content.find('=');
    const std::string_view key = sign == std::string_view::npos ? std::string_view() : trimmed(content.substr(0, sign));
    const bool isOneWord = !key.empty() && key.find_first_of(" \t") == std::string_view::npos;
    if (!isOneWord) return ScenarioFailure(error(Kind::badLine, content, kLineAllowed));
    return add({m_prefix + std::string(key), std::string(trimmed(content.substr(sign + 1))), m_line, false});
  }
  Expected<void, ScenarioError> add(DocumentEntry entry) {
    if (!m_keys.insert(entry.key).second) {
      return ScenarioFailure(
          ScenarioError{Kind::duplicateKey, m_line, entry.key, entry.value, "each section and key once"});
    }
    m_entries.push_back(std::move(entry));
    return {};
  }

  std::string m_prefix;
  std::vector<DocumentEntry> m_entries;
  std::set<std::string> m_keys;
  std::size_t m_line = 0;
};

}  // namespace

Expected<std::vector<DocumentEntry>, ScenarioError> readDocument(std::string_view text) {
  if (text.size() > kLongestText)
    return ScenarioFailure(ScenarioError{Kind::tooLong, 0, {}, {}, "at most 64 KiB of text"});
  Reader reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (auto taken = reader.take(text.substr(0, end)); !taken) return ScenarioFailure(taken.error());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return reader.takeEntries();
}

}  // namespace tcpscope::lab
