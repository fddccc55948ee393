// Any bytes are a path history or none: what is read of it makes sense, and a writer ends with a history that takes
// more, whatever it found.

#include <cstddef>
#include <cstdint>
#include <fstream>

#include "app/store/path_history/path_history_store.h"
#include "core/base/invariant.h"
#include "tests/support/own_folder.h"

namespace {

using namespace tcpscope;

void checkEntries(const PathHistoryStore& store) {
  const auto entries = store.entries();
  if (!entries) return;
  for (const PathEntry& entry : *entries) {
    TCPSCOPE_INVARIANT(PathPrefix::parse(entry.path.toString()) == entry.path);
    for (const auto& rate : {entry.sending, entry.receiving}) {
      TCPSCOPE_INVARIANT(!rate || (rate->rate.value() > 0.0 && !rate->rate.isUnlimited()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const test::OwnFolder own;
  const std::filesystem::path& folder = own.path();
  for (const auto& file : std::filesystem::directory_iterator(folder)) std::filesystem::remove(file);
  std::ofstream(folder / "book.sqlite", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  if (const auto read = PathHistoryStore::openToRead(folder); read && *read) checkEntries(**read);
  auto store = PathHistoryStore::openToWrite(folder);
  if (!store) return 0;
  checkEntries(*store);
  TCPSCOPE_INVARIANT(store->forgetUnseenSince(WallTime()).has_value());
  return 0;
}
