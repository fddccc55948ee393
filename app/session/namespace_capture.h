// How packets are captured in another network namespace of this host: by tcpscope-cli as a child, which enters the
// namespace before it has a second thread, as entering the user namespace that owns it demands.
//
// Whether the child may enter and capture shows when it is started; its standard error says why not.
#pragma once

#include <memory>
#include <string>

#include "app/session/capture_means.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

/// `commandLine` is tcpscope-cli; `networkNamespace` a descriptor of the namespace.
CaptureMeans captureMeansInside(std::string commandLine, std::shared_ptr<const OwnedDescriptor> networkNamespace);

}  // namespace tcpscope
