#include "app/cli/changed_place.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "collectors/sock_diag/network_namespace.h"
#include "core/text/change_text.h"

namespace tcpscope {

namespace {

/// What systemd tells a service, the system's own directory for root, the user's own for whoever has a namespace of his
/// own.
std::filesystem::path journalFolder() {
  if (const char* const given = std::getenv("STATE_DIRECTORY"); given != nullptr && *given == '/') {
    return std::filesystem::path(given) / "changes";
  }
  if (geteuid() == 0) return "/var/lib/tcpscope/changes";
  if (const char* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "tcpscope/changes";
  }
  const char* const home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "/" : home) / ".local/state/tcpscope/changes";
}

}  // namespace

ExitCode fail(const ChangeError& error) {
  const auto code = [&] {
    switch (error.kind) {
      case ChangeErrorKind::missingRight:
        return ExitCode::missingRight;
      case ChangeErrorKind::noSuchSetting:
      case ChangeErrorKind::noSuchChange:
        return ExitCode::notThere;
      case ChangeErrorKind::journalDamaged:
        return ExitCode::badInput;
      case ChangeErrorKind::writeFailed:
      case ChangeErrorKind::persistFailed:
      case ChangeErrorKind::journalFailed:
      case ChangeErrorKind::timerFailed:
        return ExitCode::systemFailed;
      case ChangeErrorKind::refusedSetting:
      case ChangeErrorKind::changedMeanwhile:
      case ChangeErrorKind::notTaken:
      case ChangeErrorKind::unfinishedChange:
      case ChangeErrorKind::wrongState:
      case ChangeErrorKind::otherNamespace:
      case ChangeErrorKind::cannotPersistHere:
      case ChangeErrorKind::persistedFileChanged:
        return ExitCode::refused;
    }
    return ExitCode::systemFailed;
  };
  return fail(code(), sentence(error));
}

Expected<HostChanges, ExitCode> changesOf(const CommandOptions& options) {
  if (options.networkNamespace) {
    const auto failed = [&](SystemAttempt attempt, int number) {
      return tl::unexpected(fail(SystemError{attempt, number, UntrustedText(*options.networkNamespace)}));
    };
    const auto where = NetworkNamespace::parse(*options.networkNamespace);
    if (!where) return failed(SystemAttempt::openNamespace, EINVAL);
    if (!enterNetworkNamespace(where->path().c_str())) return failed(SystemAttempt::enterNamespace, errno);
  }
  return HostChanges({journalFolder()});
}

}  // namespace tcpscope
