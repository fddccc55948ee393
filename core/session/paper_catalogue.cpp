#include "core/session/paper_catalogue.h"

#include <algorithm>

namespace tcpscope::lab {

std::span<const Paper> paperCatalogue() {
  static const std::vector<Paper> kPapers = {bufferTuningPaper(), web100Paper(), gentlePaper(), lossBurstPaper()};
  return kPapers;
}

const Paper* findPaper(std::string_view number) {
  const std::span<const Paper> papers = paperCatalogue();
  const auto found =
      std::find_if(papers.begin(), papers.end(), [&](const Paper& paper) { return paper.number == number; });
  return found == papers.end() ? nullptr : &*found;
}

}  // namespace tcpscope::lab
