#include "core/base/untrusted_text.h"

#include "core/base/utf8.h"

namespace tcpscope {

bool UntrustedText::cut(std::size_t longest) {
  if (m_bytes.size() <= longest) return false;
  // Into a string of its own: a shorter one would keep the memory.
  m_bytes = std::string(m_bytes, 0, endOfCharacters(m_bytes, longest));
  return true;
}

}  // namespace tcpscope
