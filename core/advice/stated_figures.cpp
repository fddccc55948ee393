#include "core/advice/stated_figures.h"

#include <string>

#include "core/model/metric_words.h"

namespace tcpscope {

std::optional<double> statedValue(const StatedFigure& figure, std::string_view text) {
  std::string word(text);
  std::erase(word, ' ');
  const auto value = wantedValue(figure.metric, word);
  if (!value || *value < figure.least || *value > figure.most) return std::nullopt;
  return value;
}

}  // namespace tcpscope
