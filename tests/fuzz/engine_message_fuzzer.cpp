// The messages between a lab's owner and its engine.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/lab/engine/engine_answers.h"

using namespace tcpscope::lab;

namespace {

/// What was read comes out as the same bytes again.
template <class Content>
void expectSameBytes(const std::optional<Content>& content, std::string_view bytes) {
  if (content && bytes.substr(0, encode(*content).bytes().size()) != encode(*content).bytes()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  expectSameBytes(decodeLabError(text), text);
  expectSameBytes(decodeReady(text), text);
  expectSameBytes(decodePathAnswer(text), text);
  expectSameBytes(decodeCaptureQuestion(text), text);
  expectSameBytes(decodeCaptureError(text), text);
  return 0;
}
