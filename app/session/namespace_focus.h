// The connection in focus where it is in another network namespace of this host: exact requests are asked there.
#pragma once

#include <memory>

#include "app/session/local_place.h"
#include "app/session/namespace_register.h"

namespace tcpscope {

/// Does nothing while the focus is elsewhere than in one of `namespaces`. `own` is the place of the caller's namespace.
std::unique_ptr<Collector> focusInOtherNamespaces(const LocalPlace& own,
                                                  std::shared_ptr<const NamespaceRegister> namespaces);

}  // namespace tcpscope
