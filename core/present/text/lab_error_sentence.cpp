#include "core/present/text/lab_error_sentence.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::string reason(int errorNumber) {
  return errorNumber == 0 ? std::string("the system gave no reason") : std::generic_category().message(errorNumber);
}

/// The value that lets every user make user namespaces.
const char* allowingValue(const std::string& sysctl) {
  if (sysctl == "user.max_user_namespaces") return "15000";
  return sysctl == "kernel.apparmor_restrict_unprivileged_userns" ? "0" : "1";
}

std::string namespaceSentence(const LabError& error) {
  if (error.object.empty()) {
    return fmt::format(
        "the lab needs user namespaces, which this system denies ({}): in a container, allow them from outside; "
        "otherwise run the lab as root",
        reason(error.errorNumber));
  }
  const std::string sysctl = forTerminal(error.object);
  return fmt::format(
      "the lab needs user namespaces, which the sysctl {} denies; allow them with 'sudo sysctl -w {}={}', or run the "
      "lab as root",
      sysctl, sysctl, allowingValue(sysctl));
}

std::string sysctlSentence(const LabError& error) {
  const std::string key = forTerminal(error.object);
  switch (error.errorNumber) {
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format(
          "the sysctl {} is read-only inside a network namespace; leave it out of the scenario, or set it on this "
          "machine before the run",
          key);
    case ENOENT:
      return fmt::format(
          "a network namespace of this kernel has no sysctl {}; leave it out of the scenario, or see whether its name "
          "is right",
          key);
    case EINVAL:
    case ERANGE:
      return fmt::format("the kernel refuses the scenario's value of the sysctl {}; give one that it allows", key);
    case 0:
      return fmt::format("the kernel took another value of the sysctl {} than the scenario's; give one that it keeps",
                         key);
    default:
      return fmt::format("the sysctl {} cannot be set in the lab: {}", key, reason(error.errorNumber));
  }
}

std::string optionSentence(const LabError& error) {
  const std::string option = forTerminal(error.object);
  const std::string limit = option == "SO_RCVBUF"   ? "; net.core.rmem_max of this machine bounds it"
                            : option == "SO_SNDBUF" ? "; net.core.wmem_max of this machine bounds it"
                                                    : "";
  return error.errorNumber == 0 ? fmt::format("the kernel does not take the scenario's value of {}{}", option, limit)
                                : fmt::format("the kernel refuses the scenario's value of {}: {}{}", option,
                                              reason(error.errorNumber), limit);
}

std::string endSentence(const LabError& error) {
  std::string why;
  if (!error.object.empty()) why = fmt::format(" ({})", forTerminal(error.object));
  if (error.errorNumber != 0) why += ": " + reason(error.errorNumber);
  return fmt::format("the lab ended unexpectedly{}; start it again", why);
}

}  // namespace

std::string sentence(const LabError& error) {
  const std::string object = forTerminal(error.object);
  switch (error.kind) {
    case LabErrorKind::noUserNamespaces:
      return namespaceSentence(error);
    case LabErrorKind::noDevice:
      return fmt::format("the lab cannot make a network device ({}): {}; see that the kernel has 'tun' or 'veth'",
                         object, reason(error.errorNumber));
    case LabErrorKind::noCongestionControl:
      return fmt::format("this kernel does not offer the congestion control '{}'; load it with 'sudo modprobe tcp_{}'",
                         object, object);
    case LabErrorKind::sysctlRefused:
      return sysctlSentence(error);
    case LabErrorKind::optionRefused:
      return optionSentence(error);
    case LabErrorKind::tooMany:
      return fmt::format("the scenario asks for more {} than the lab runs at once; ask for fewer", object);
    case LabErrorKind::setUpFailed:
      return fmt::format("the lab cannot be set up ({}): {}", object, reason(error.errorNumber));
    case LabErrorKind::engineEnded:
      return endSentence(error);
  }
  return reason(error.errorNumber);
}

}  // namespace tcpscope
