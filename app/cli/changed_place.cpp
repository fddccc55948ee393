#include "app/cli/changed_place.h"

#include <unistd.h>

#include <cerrno>

#include "app/remote/command_line_program.h"
#include "app/store/state_folder.h"
#include "collectors/host/place_reader.h"
#include "collectors/sock_diag/network_namespace.h"
#include "core/present/text/change_text.h"

namespace tcpscope {

ExitCode fail(const ChangeError& error) {
  const auto code = [&] {
    switch (error.kind) {
      case ChangeErrorKind::missingRight:
      case ChangeErrorKind::denied:
      case ChangeErrorKind::sudoAsks:
      case ChangeErrorKind::sudoRefuses:
      case ChangeErrorKind::noSudo:
        return ExitCode::missingRight;
      case ChangeErrorKind::noSuchSetting:
      case ChangeErrorKind::noSuchChange:
        return ExitCode::notThere;
      case ChangeErrorKind::journalDamaged:
        return ExitCode::badInput;
      case ChangeErrorKind::writeFailed:
      case ChangeErrorKind::persistFailed:
      case ChangeErrorKind::journalFailed:
      case ChangeErrorKind::journalNotUpdated:
      case ChangeErrorKind::timerFailed:
      case ChangeErrorKind::helperNotAvailable:
      case ChangeErrorKind::reported:
      case ChangeErrorKind::unreadableReport:
      case ChangeErrorKind::unreachable:
      case ChangeErrorKind::left:
      case ChangeErrorKind::notConnected:
      case ChangeErrorKind::reportLost:
      case ChangeErrorKind::notActive:
      case ChangeErrorKind::outcomeNotReported:
        return ExitCode::systemFailed;
      case ChangeErrorKind::refusedSetting:
      case ChangeErrorKind::changedMeanwhile:
      case ChangeErrorKind::notTaken:
      case ChangeErrorKind::unfinishedChange:
      case ChangeErrorKind::comparisonRunning:
      case ChangeErrorKind::wrongState:
      case ChangeErrorKind::otherNamespace:
      case ChangeErrorKind::otherPlace:
      case ChangeErrorKind::cannotPersistHere:
      case ChangeErrorKind::persistedFileChanged:
        return ExitCode::refused;
    }
    return ExitCode::systemFailed;
  };
  return fail(code(), sentence(error));
}

std::optional<RevertUnit> revertUnitFor(const CommandOptions& options, const std::optional<double>& trialSeconds) {
  const auto program = trialSeconds ? commandLineBeside() : std::nullopt;
  if (!program) return std::nullopt;
  RevertUnit unit{*program, nanosecondsOf(*trialSeconds), options.networkNamespace};
  // The unit begins in the namespace of the service manager, also where this process was started by `ip netns exec`.
  if (!unit.networkNamespace) unit.networkNamespace = readPlace(PlaceId{}).namespaceName();
  unit.isOfSystem = geteuid() == 0;
  if (unit.isOfSystem) {
    const auto checked = programForRoot(unit.program);
    if (!checked) return std::nullopt;
    unit.program = *checked;
  }
  unit.environment = stateFolderEnvironment();
  return unit;
}

Expected<SysctlChanger, ExitCode> changesOf(const CommandOptions& options) {
  // Before entering a namespace in which this process may have another user id.
  const auto journal = stateFolder("changes");
  if (!journal) return tl::unexpected(fail(ExitCode::systemFailed, "there is no home for a journal; set HOME"));
  if (options.networkNamespace) {
    const auto failed = [&](SystemAttempt attempt, int number) {
      return tl::unexpected(fail(SystemError{attempt, number, UntrustedText(*options.networkNamespace)}));
    };
    const auto where = NetworkNamespace::parse(*options.networkNamespace);
    if (!where) return failed(SystemAttempt::openNamespace, EINVAL);
    if (!enterNetworkNamespace(where->path().c_str())) return failed(SystemAttempt::enterNamespace, errno);
  }
  return SysctlChanger({*journal});
}

}  // namespace tcpscope
