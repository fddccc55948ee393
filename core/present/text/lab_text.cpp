#include "core/present/text/lab_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/control_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/session/scenario_error.h"

namespace tcpscope {

namespace {

std::string labReason(int errorNumber) {
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
        labReason(error.errorNumber));
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
      return fmt::format("the sysctl {} cannot be set in the lab: {}", key, labReason(error.errorNumber));
  }
}

std::string optionSentence(const LabError& error) {
  const std::string option = forTerminal(error.object);
  const std::string limit = option == "SO_RCVBUF"   ? "; net.core.rmem_max of this machine bounds it"
                            : option == "SO_SNDBUF" ? "; net.core.wmem_max of this machine bounds it"
                                                    : "";
  return error.errorNumber == 0 ? fmt::format("the kernel does not take the scenario's value of {}{}", option, limit)
                                : fmt::format("the kernel refuses the scenario's value of {}: {}{}", option,
                                              labReason(error.errorNumber), limit);
}

std::string endSentence(const LabError& error) {
  std::string why;
  if (!error.object.empty()) why = fmt::format(" ({})", forTerminal(error.object));
  if (error.errorNumber != 0) why += ": " + labReason(error.errorNumber);
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
                         object, labReason(error.errorNumber));
    case LabErrorKind::noCongestionControl:
      return fmt::format("this kernel does not offer the congestion control '{}'; load it with '{}'", object,
                         loadCommand(object));
    case LabErrorKind::sysctlRefused:
      return sysctlSentence(error);
    case LabErrorKind::optionRefused:
      return optionSentence(error);
    case LabErrorKind::tooMany:
      return fmt::format("the scenario asks for more {} than the lab runs at once; ask for fewer", object);
    case LabErrorKind::setUpFailed:
      return fmt::format("the lab cannot be set up ({}): {}", object, labReason(error.errorNumber));
    case LabErrorKind::engineEnded:
      return endSentence(error);
  }
  return labReason(error.errorNumber);
}

}  // namespace tcpscope

namespace tcpscope::lab {

namespace {

std::string answerText(const Answer& answer, Side side) {
  Verdict verdict;
  verdict.limit = answer.limit;
  verdict.cause = answer.cause;
  verdict.confidenceRatio = answer.confidenceRatio;
  return fmt::format("{}, confidence {:.0f} %", brief(verdict, side), answer.confidenceRatio * 100);
}

/// As the diagnosis calls it.
std::string_view titleOf(std::string_view rule) {
  const auto known = ruleNamed(rule);
  return known ? title(*known) : rule;
}

void addList(std::string& text, std::string_view before, const std::vector<std::string>& rules) {
  if (rules.empty()) return;
  std::vector<std::string_view> titles(rules.size());
  std::transform(rules.begin(), rules.end(), titles.begin(), titleOf);
  text += fmt::format(" {}: {}.", before, fmt::join(titles, ", "));
}

ExchangeShares exchangesWithAll(SlowPart part) {
  const auto share = [part](SlowPart one) { return one == part ? 1.0 : 0.0; };
  return {.here = share(SlowPart::here), .path = share(SlowPart::path), .peer = share(SlowPart::peer)};
}

}  // namespace

std::string sentence(const Truth& truth) {
  Verdict verdict;
  verdict.limit = truth.limit;
  verdict.cause = truth.cause;
  verdict.confidenceRatio = 1.0;
  if (truth.slowPart) verdict.exchanges = exchangesWithAll(*truth.slowPart);
  return sentence(verdict, Side::sending);
}

std::string sentence(const Agreement& agreement) {
  std::string text;
  if (agreement.verdictAgrees()) {
    // Nothing arrived, or what arrived has more than one explanation: this end cannot know.
    const Limit received = agreement.receiver.limit;
    const bool isReceiverSilent =
        received != agreement.sender.limit && (received == Limit::unknown || received == Limit::idle);
    text = isReceiverSilent ? "The sender's verdict agrees with the answer; the receiver cannot know it."
                            : "Both verdicts agree with the answer.";
  } else {
    if (!agreement.senderAgrees)
      text = fmt::format("The sender's verdict: {}.", answerText(agreement.sender, Side::sending));
    if (!agreement.receiverAgrees) {
      text += fmt::format("{}The receiver's verdict: {}.", text.empty() ? "" : " ",
                          answerText(agreement.receiver, Side::receiving));
    }
  }
  addList(text, "Not found", agreement.missingFindings);
  addList(text, "Found, but not expected", agreement.forbiddenFindings);
  return text;
}

std::string recordingNotice(const LabError& whyNoLab) {
  return "a recording plays: " + tcpscope::sentence(whyNoLab);
}

std::string sentence(const LabFigures& figures) {
  std::string text = formatRate(figures.goodput);
  if (figures.utilizationRatio) text += fmt::format(", {} of the path's rate", formatRatio(*figures.utilizationRatio));
  if (figures.completionSeconds) text += fmt::format(", complete after {}", formatTime(*figures.completionSeconds));
  if (figures.jainFairnessRatio) text += fmt::format(", fairness {:.3f}", *figures.jainFairnessRatio);
  text += fmt::format(", {} packet{} dropped", figures.drops, figures.drops == 1 ? "" : "s");
  if (figures.marks > 0) text += fmt::format(", {} marked", figures.marks);
  return text;
}

std::string sentence(const HostFigures& host) {
  std::vector<std::string> parts;
  if (host.cpuRatio) parts.push_back(fmt::format("{} of a processor", formatRatio(*host.cpuRatio)));
  if (host.cpuNanosecondsPerByte) parts.push_back(fmt::format("{:.3g} ns a byte", *host.cpuNanosecondsPerByte));
  if (host.socketMemoryPeak)
    parts.push_back(
        fmt::format("socket memory up to {}", formatBytes(static_cast<double>(host.socketMemoryPeak->value()))));
  return fmt::format("{}: {}", host.name, parts.empty() ? "unknown" : fmt::format("{}", fmt::join(parts, ", ")));
}

std::string figureText(std::string_view key, double value) {
  const std::string_view base = key.substr(0, key.find('.'));
  if (base.ends_with("_bps")) return formatRate(BitsPerSecond(value));
  if (base.ends_with("_us")) return formatTime(value * 1e-6);
  if (base.ends_with("_s")) return formatTime(value);
  if (base.ends_with("_bytes")) return formatBytes(value);
  return fmt::format("{:.4g}", value);
}

namespace {

std::string_view whatHappened(ScenarioError::Kind kind) {
  switch (kind) {
    case ScenarioError::Kind::tooLong:
      return "too large";
    case ScenarioError::Kind::badLine:
      return "not a line of a scenario";
    case ScenarioError::Kind::unknownSection:
      return "unknown section";
    case ScenarioError::Kind::unknownKey:
      return "unknown key";
    case ScenarioError::Kind::duplicateKey:
      return "already set";
    case ScenarioError::Kind::badValue:
      return "invalid value";
    case ScenarioError::Kind::missing:
      return "missing";
    case ScenarioError::Kind::unknownName:
      return "the scenario has nothing with this name";
  }
  return "the scenario cannot be read";
}

std::string inQuotes(std::string_view text) {
  constexpr std::size_t kLongestQuote = 60;
  return forTerminal(text.substr(0, kLongestQuote));
}

}  // namespace

std::string sentence(const ScenarioError& error) {
  const std::string where = error.line == 0 ? std::string("scenario") : fmt::format("scenario, line {}", error.line);
  std::string what;
  if (!error.key.empty()) what = fmt::format(" \"{}\"", inQuotes(error.key));
  if (!error.value.empty() && error.key.empty()) what = fmt::format(" \"{}\"", inQuotes(error.value));
  if (!error.value.empty() && !error.key.empty()) {
    what = fmt::format(" \"{} = {}\"", inQuotes(error.key), inQuotes(error.value));
  }
  return fmt::format("{}:{} {}; allowed: {}", where, what.empty() ? what : what + ":", whatHappened(error.kind),
                     error.allowed);
}

}  // namespace tcpscope::lab
