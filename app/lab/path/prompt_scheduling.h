// Asks the kernel to run the calling thread as soon as it wakes: no timer slack, and the first of what this user may
// have of real-time priority (RLIMIT_RTPRIO or CAP_SYS_NICE) and a short time slice (Linux 6.12 on, no right needed).
//
// The answer is not looked at: the loop works without, and its report says how late it was.
#pragma once

namespace tcpscope::lab {

void askForPromptScheduling();

}  // namespace tcpscope::lab
