#include "app/pdf/column_widths.h"

#include <algorithm>
#include <numeric>

namespace tcpscope {

namespace {

/// A figure with its unit, or a name: not broken while there is room.
constexpr std::size_t kShortText = 20;
/// A text wider than this is a paragraph of several lines and gets no more space than others.
constexpr double kMostWanted = 600;
/// A longer word is not meant to be read as a whole.
constexpr std::size_t kLongestWord = 200;

/// What just fits must not break for the last bit of a sum.
constexpr double kForRounding = 0.01;

enum class Breaks : std::uint8_t { betweenWords, notInShortTexts };

double sumOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double longestWord(const std::string& text, CellKind kind, Breaks breaks, const TextWidth& widthOf) {
  if (breaks == Breaks::notInShortTexts && text.size() <= kShortText) return widthOf(text, kind);
  double longest = 0.0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, widthOf(text.substr(begin, std::min(end - begin, kLongestWord)), kind));
    begin = end + 1;
  }
  return longest;
}

/// The largest `width` of each column's texts, its title among them, and `between`.
template <class Width>
std::vector<double> largestOf(const ReportTable& table, double between, const Width& width) {
  std::vector<double> largest;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    double most = width(table.columns[column], CellKind::title);
    for (const auto& row : table.rows) {
      if (column < row.size()) most = std::max(most, width(row[column], CellKind::text));
    }
    largest.push_back(most + between + kForRounding);
  }
  return largest;
}

/// The widest give way until all fit.
void narrow(std::vector<double>& widths, double width) {
  std::vector<double> sorted = widths;
  std::sort(sorted.begin(), sorted.end());
  double left = width;
  for (std::size_t index = 0; index < sorted.size(); ++index) {
    const double even = left / static_cast<double>(sorted.size() - index);
    if (sorted[index] <= even) {
      left -= sorted[index];
      continue;
    }
    for (double& one : widths) one = std::min(one, even);
    return;
  }
}

}  // namespace

std::vector<double> columnWidths(const ReportTable& table, double width, double between, const TextWidth& widthOf) {
  const auto least = [&](Breaks breaks) {
    return largestOf(table, between,
                     [&](const std::string& text, CellKind kind) { return longestWord(text, kind, breaks, widthOf); });
  };
  std::vector<double> widths = least(Breaks::notInShortTexts);
  if (sumOf(widths) > width) widths = least(Breaks::betweenWords);
  if (sumOf(widths) > width) narrow(widths, width);
  const std::vector<double> whole = largestOf(table, between, [&](const std::string& text, CellKind kind) {
    return std::min(widthOf(text.substr(0, kLongestWord), kind), kMostWanted);
  });
  std::vector<double> wanted;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    wanted.push_back(std::max(whole[column] - widths[column], 0.0));
  }
  const double spare = width - sumOf(widths);
  const double wantedInAll = sumOf(wanted);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    const double part = wantedInAll > 0.0 ? wanted[column] / wantedInAll : 1.0 / static_cast<double>(widths.size());
    widths[column] += spare * part;
  }
  return widths;
}

}  // namespace tcpscope
