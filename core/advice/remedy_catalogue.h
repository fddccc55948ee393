// Every remedy, each a function from what is known of a side to the remedy or nothing.
//
// Adding one: an enumerator of RemedyId with its name, a file pair in remedies/, one row, title and sentence in
// core/text/remedy_text, a situation in which it must speak and one in which it must not.
#pragma once

#include <span>

#include "core/advice/advice.h"

namespace tcpscope {

struct RemedyRow {
  RemedyId id;
  std::optional<Remedy> (*propose)(const AdviceInput& input);
  AdviceAim aim = AdviceAim::throughput;
};

/// In the order of RemedyId.
std::span<const RemedyRow> remedyCatalogue();

}  // namespace tcpscope
