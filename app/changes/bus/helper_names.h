// D-Bus and polkit names of the helper, for the service, its client and their tests. app/packaging/helper has the same
// names.
#pragma once

namespace tcpscope {

/// The 1 is the version: it changes with every incompatible change.
inline constexpr const char* kHelperName = "org.tcpscope.Helper1";
inline constexpr const char* kHelperPath = "/org/tcpscope/Helper1";
inline constexpr const char* kHelperInterface = "org.tcpscope.Helper1";

/// Polkit action: apply, and confirm or revert another caller's change.
inline constexpr const char* kApplyAction = "org.tcpscope.changes.apply";
/// Polkit action: confirm or revert a change of the same connection to the bus.
inline constexpr const char* kFinishAction = "org.tcpscope.changes.finish";

/// Polkit did not authorize it.
inline constexpr const char* kDeniedError = "org.tcpscope.Helper1.Error.Denied";
/// With a sentence for the user.
inline constexpr const char* kFailedError = "org.tcpscope.Helper1.Error.Failed";

}  // namespace tcpscope
