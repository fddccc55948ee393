// The namespaces that hold a whole lab: user (so that no privilege is needed), process (so that everything ends with
// its first process), mount (for a /proc of its own), network and host name.
//
// Root does without the user namespace where it is denied. The clone is a system call of its own, so that a threaded
// process may make it; only the calling thread goes on in the child.
#pragma once

#include <sys/types.h>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

struct NamespaceChild {
  /// 0 in the child.
  pid_t pid = 0;
  bool hasOwnUsers = true;
  /// Of the parent, as the child must map them.
  uid_t user = 0;
  gid_t group = 0;
  /// The parent's pidfd: from inside new process namespaces its number cannot be seen.
  OwnedDescriptor parent;
};

/// As fork(): the child is the first process of the new namespaces.
Expected<NamespaceChild, LabError> cloneIntoLabNamespaces();

/// The child's part, called first there: user 0 is the parent's user, /proc shows these namespaces' processes (or the
/// parent's, where the system does not allow another), and the child dies with its parent. An error where that died
/// before.
Expected<void, LabError> settleInLabNamespaces(const NamespaceChild& child);

}  // namespace tcpscope::lab
