#include "app/remote/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace tcpscope {

OwnedDescriptor::~OwnedDescriptor() {
  close();
}

void OwnedDescriptor::close() {
  if (m_number >= 0) ::close(std::exchange(m_number, -1));
}

OwnedDescriptor duplicate(int descriptor) {
  return OwnedDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

}  // namespace tcpscope
