#include "core/session/seed_catalogue.h"

#include <algorithm>

namespace tcpscope::lab {

std::span<const Seed> seedCatalogue() {
  static const std::vector<Seed> kSeeds = {bufferTuningSeed(), web100Seed(), gentleSeed(), lossBurstSeed()};
  return kSeeds;
}

const Seed* findSeed(std::string_view number) {
  const std::span<const Seed> seeds = seedCatalogue();
  const auto found = std::find_if(seeds.begin(), seeds.end(), [&](const Seed& seed) { return seed.number == number; });
  return found == seeds.end() ? nullptr : &*found;
}

}  // namespace tcpscope::lab
