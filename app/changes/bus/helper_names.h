// What the helper is called on the system bus: for the service, its client and their tests. The same names stand in
// app/packaging/helper.
#pragma once

namespace tcpscope {

/// The 1 changes with what an older client would not understand.
inline constexpr const char* kHelperName = "org.tcpscope.Helper1";
inline constexpr const char* kHelperPath = "/org/tcpscope/Helper1";
inline constexpr const char* kHelperInterface = "org.tcpscope.Helper1";

/// Polkit's: to change settings, and to keep or undo what somebody else changed.
inline constexpr const char* kApplyAction = "org.tcpscope.changes.apply";
/// To keep or undo a change that the same caller made, on the same connection to the bus.
inline constexpr const char* kFinishAction = "org.tcpscope.changes.finish";

/// Polkit did not say yes.
inline constexpr const char* kDeniedError = "org.tcpscope.Helper1.Error.Denied";
/// With a sentence for people.
inline constexpr const char* kFailedError = "org.tcpscope.Helper1.Error.Failed";

}  // namespace tcpscope
