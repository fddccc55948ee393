#include "collectors/system/owned_descriptor.h"

#include <fcntl.h>

namespace tcpscope {

OwnedDescriptor duplicate(int descriptor) {
  return OwnedDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

}  // namespace tcpscope
