#include "collectors/sock_diag/diag_request.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "core/base/invariant.h"

namespace tcpscope {

namespace {

constexpr std::uint8_t extension(int attribute) {
  return static_cast<std::uint8_t>(1U << (attribute - 1));
}

// The figures of the congestion control come with VEGASINFO, whichever is in use.
constexpr std::uint8_t kExtensions = extension(INET_DIAG_INFO) | extension(INET_DIAG_SKMEMINFO) |
                                     extension(INET_DIAG_CONG) | extension(INET_DIAG_VEGASINFO) |
                                     extension(INET_DIAG_TOS) | extension(INET_DIAG_TCLASS);

// TCP_BOUND_INACTIVE (Linux 6.8) is the first state behind those of RFC 9293 and the kernel's TCP_NEW_SYN_RECV.
constexpr std::uint32_t kStatesOfTcp = (1U << 13) - 1;

template <class Body>
struct RequestHead {
  nlmsghdr header;
  Body request;
};

template <class Body>
RequestHead<Body> head(std::uint16_t type, std::uint16_t flags, std::uint32_t sequence) {
  static_assert(sizeof(RequestHead<Body>) == sizeof(nlmsghdr) + sizeof(Body));
  RequestHead<Body> result{};
  result.header.nlmsg_len = sizeof result;
  result.header.nlmsg_type = type;
  result.header.nlmsg_flags = flags;
  result.header.nlmsg_seq = sequence;
  result.request.idiag_ext = kExtensions;
  return result;
}

void copyAddress(const IpAddress& address, __be32* words) {
  std::memcpy(words, address.bytes().data(), address.family() == AddressFamily::ipv4 ? 4 : 16);
}

}  // namespace

void DiagRequest::append(std::span<const std::byte> part) {
  TCPSCOPE_INVARIANT(part.size() <= m_bytes.size() - m_size);
  std::copy(part.begin(), part.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_size));
  m_size += part.size();
}

DiagRequest DiagRequest::dump(std::uint32_t stateMask, std::span<const std::byte> bytecode, std::uint32_t sequence) {
  auto message = head<inet_diag_req>(TCPDIAG_GETSOCK, NLM_F_REQUEST | NLM_F_DUMP, sequence);
  message.request.idiag_family = AF_UNSPEC;
  message.request.idiag_states = stateMask & kStatesOfTcp;
  DiagRequest request;
  request.m_isDump = true;
  if (bytecode.empty() || bytecode.size() > kMaxBytecodeBytes) {
    request.append(std::as_bytes(std::span(&message, 1)));
    return request;
  }
  nlattr attribute{};
  attribute.nla_len = static_cast<std::uint16_t>(sizeof attribute + bytecode.size());
  attribute.nla_type = INET_DIAG_REQ_BYTECODE;
  message.header.nlmsg_len += attribute.nla_len;
  request.append(std::as_bytes(std::span(&message, 1)));
  request.append(std::as_bytes(std::span(&attribute, 1)));
  request.append(bytecode);
  return request;
}

DiagRequest DiagRequest::exact(const SocketAddress& socket, std::uint32_t sequence) {
  return about(socket, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, sequence);
}

void DiagRequest::addExact(const SocketAddress& socket, std::uint32_t sequence) {
  append(exact(socket, sequence).bytes());
  ++m_questions;
}

DiagRequest DiagRequest::close(const SocketAddress& socket, std::uint32_t sequence) {
  return about(socket, SOCK_DESTROY, NLM_F_REQUEST | NLM_F_ACK, sequence);
}

DiagRequest DiagRequest::about(const SocketAddress& socket, std::uint16_t type, std::uint16_t flags,
                               std::uint32_t sequence) {
  auto message = head<inet_diag_req_v2>(type, flags, sequence);
  message.request.sdiag_family = socket.local.address.family() == AddressFamily::ipv4 ? AF_INET : AF_INET6;
  message.request.sdiag_protocol = IPPROTO_TCP;
  message.request.idiag_states = ~0U;
  inet_diag_sockid& id = message.request.id;
  id.idiag_sport = htons(socket.local.port);
  id.idiag_dport = htons(socket.remote.port);
  copyAddress(socket.local.address, id.idiag_src);
  copyAddress(socket.remote.address, id.idiag_dst);
  id.idiag_if = socket.interfaceIndex;
  id.idiag_cookie[0] = static_cast<std::uint32_t>(socket.id.cookie);
  id.idiag_cookie[1] = static_cast<std::uint32_t>(socket.id.cookie >> 32);
  DiagRequest request;
  request.append(std::as_bytes(std::span(&message, 1)));
  return request;
}

}  // namespace tcpscope
