#include "collectors/sock_diag/filter_bytecode.h"

#include <linux/inet_diag.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "collectors/sock_diag/diag_request.h"

namespace tcpscope {

namespace {

// A piece of code is true when it runs to its end, false when it jumps four bytes beyond it. Jumps go forward only, and
// only to the beginning of an operation (inet_diag_bc_audit in net/ipv4/inet_diag.c).
using Code = std::vector<std::byte>;
/// Nothing: the kernel cannot decide, so that everything passes.
using Decidable = std::optional<Code>;

constexpr std::size_t kOperation = sizeof(inet_diag_bc_op);
constexpr int kAnyPort = -1;

void append(Code& code, const void* bytes, std::size_t size) {
  // Not insert(): g++ 12 takes its reallocation for a write beyond the end once it optimises, and warns.
  const std::size_t end = code.size();
  code.resize(end + size);
  std::memcpy(code.data() + end, bytes, size);
}

/// An operation with `argumentBytes` behind it, false to the end of the piece.
inet_diag_bc_op operation(int opcode, std::size_t argumentBytes) {
  inet_diag_bc_op op{};
  op.code = static_cast<unsigned char>(opcode);
  op.yes = static_cast<unsigned char>(kOperation + argumentBytes);
  op.no = static_cast<unsigned short>(kOperation + argumentBytes + kOperation);
  return op;
}

Code jump(std::size_t distance) {
  inet_diag_bc_op op{};
  op.code = INET_DIAG_BC_JMP;
  op.yes = kOperation;
  op.no = static_cast<unsigned short>(kOperation + distance);
  Code code;
  append(code, &op, sizeof op);
  return code;
}

/// Moves the places where `code` jumps when it is false by `distance`.
void moveFalseExits(Code& code, std::size_t distance) {
  const std::size_t falseExit = code.size() + kOperation;
  for (std::size_t at = 0; at < code.size();) {
    inet_diag_bc_op op;
    std::memcpy(&op, code.data() + at, sizeof op);
    if (at + op.no == falseExit) {
      op.no = static_cast<unsigned short>(op.no + distance);
      std::memcpy(code.data() + at, &op, sizeof op);
    }
    at += op.yes;
  }
}

Code both(Code first, const Code& second) {
  moveFalseExits(first, second.size());
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Code either(Code first, const Code& second) {
  const Code over = jump(second.size());
  first.insert(first.end(), over.begin(), over.end());
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Code inverse(Code code) {
  const Code toFalse = jump(kOperation);
  code.insert(code.end(), toFalse.begin(), toFalse.end());
  return code;
}

Code portBound(int opcode, std::uint16_t port) {
  const inet_diag_bc_op op = operation(opcode, kOperation);
  inet_diag_bc_op argument{};
  argument.no = port;
  Code code;
  append(code, &op, sizeof op);
  append(code, &argument, sizeof argument);
  return code;
}

Code atLeast(Peer peer, std::uint16_t port) {
  return portBound(peer == Peer::source ? INET_DIAG_BC_S_GE : INET_DIAG_BC_D_GE, port);
}

Code atMost(Peer peer, std::uint16_t port) {
  return portBound(peer == Peer::source ? INET_DIAG_BC_S_LE : INET_DIAG_BC_D_LE, port);
}

Decidable portCondition(const FilterPort& condition) {
  // Equality as two bounds: the operation for it came later than these.
  const Peer peer = condition.peer;
  const std::uint16_t port = condition.port;
  switch (condition.comparison) {
    case Comparison::equal:
      return both(atLeast(peer, port), atMost(peer, port));
    case Comparison::notEqual:
      return inverse(both(atLeast(peer, port), atMost(peer, port)));
    case Comparison::less:
      return inverse(atLeast(peer, port));
    case Comparison::lessOrEqual:
      return atMost(peer, port);
    case Comparison::greater:
      return inverse(atMost(peer, port));
    case Comparison::greaterOrEqual:
      return atLeast(peer, port);
    case Comparison::matches:
      break;
  }
  return std::nullopt;
}

/// May a prefix of IPv6 hold IPv4-mapped addresses? The kernel then says yes to them where the evaluator, which takes
/// them as IPv4, says no.
bool mayHoldMapped(const IpAddress& network, unsigned prefixBits) {
  const std::size_t whole = std::min<std::size_t>(prefixBits / 8, 10);
  return std::all_of(network.bytes().begin(), network.bytes().begin() + static_cast<std::ptrdiff_t>(whole),
                     [](std::uint8_t byte) { return byte == 0; });
}

Code hostCode(const FilterHost& condition) {
  const IpAddress network = condition.network.unmapped();
  const bool isIpv4 = network.family() == AddressFamily::ipv4;
  const bool wasMapped = isIpv4 && condition.network.family() == AddressFamily::ipv6;
  const unsigned bits = wasMapped ? std::max(condition.prefixBits, 96U) - 96U : condition.prefixBits;
  const std::size_t addressBytes = condition.anyAddress ? 0 : (isIpv4 ? 4 : 16);
  inet_diag_hostcond host{};
  host.port = condition.port ? static_cast<int>(*condition.port) : kAnyPort;
  host.family = static_cast<std::uint8_t>(condition.anyAddress ? AF_UNSPEC : (isIpv4 ? AF_INET : AF_INET6));
  host.prefix_len = static_cast<std::uint8_t>(condition.anyAddress ? 0 : std::min(bits, isIpv4 ? 32U : 128U));
  const inet_diag_bc_op op =
      operation(condition.peer == Peer::source ? INET_DIAG_BC_S_COND : INET_DIAG_BC_D_COND, sizeof host + addressBytes);
  Code code;
  append(code, &op, sizeof op);
  append(code, &host, sizeof host);
  append(code, network.bytes().data(), addressBytes);
  return code;
}

Decidable compile(const FilterPointer& pointer, bool negated);

Decidable compileParts(const std::vector<FilterPointer>& parts, bool negated, bool isAnd) {
  Decidable result;
  for (const FilterPointer& part : parts) {
    Decidable code = compile(part, negated);
    // What passes everything is left out of a conjunction, and makes a disjunction pass everything.
    if (!code && isAnd) continue;
    if (!code) return std::nullopt;
    if (!result) {
      result = std::move(code);
    } else {
      result = isAnd ? both(std::move(*result), *code) : either(std::move(*result), *code);
    }
    if (result->size() > DiagRequest::kMaxBytecodeBytes) return std::nullopt;
  }
  return result;
}

class Compiler {
public:
  explicit Compiler(bool negated) : m_negated(negated) {}

  Decidable operator()(const FilterAnd& node) const { return compileParts(node.parts, m_negated, !m_negated); }
  Decidable operator()(const FilterOr& node) const { return compileParts(node.parts, m_negated, m_negated); }
  Decidable operator()(const FilterNot& node) const { return compile(node.part, !m_negated); }
  Decidable operator()(const FilterPort& condition) const { return signedCode(portCondition(condition), m_negated); }
  Decidable operator()(const FilterHost& condition) const {
    const bool negated = condition.negated != m_negated;
    const bool isIpv6 = condition.network.unmapped().family() == AddressFamily::ipv6;
    if (negated && !condition.anyAddress && isIpv6 && mayHoldMapped(condition.network, condition.prefixBits)) {
      return std::nullopt;
    }
    return signedCode(hostCode(condition), negated);
  }
  /// Everything else only the evaluator knows.
  template <class Other>
  Decidable operator()(const Other&) const {
    return std::nullopt;
  }

private:
  static Decidable signedCode(Decidable code, bool negated) {
    if (code && negated) code = inverse(std::move(*code));
    return code;
  }

  bool m_negated;
};

Decidable compile(const FilterPointer& pointer, bool negated) {
  return std::visit(Compiler(negated), pointer->node);
}

}  // namespace

std::vector<std::byte> compileFilter(const FilterPointer& root) {
  if (!root) return {};
  Decidable code = compile(root, false);
  if (!code || code->size() > DiagRequest::kMaxBytecodeBytes) return {};
  return std::move(*code);
}

}  // namespace tcpscope
