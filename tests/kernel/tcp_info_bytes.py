"""`struct tcp_info` as getsockopt returns it, decoded independently of the program: by byte offset, in its units.

A field exists if the kernel returned its last byte. ABSENT is a number that stands for "none yet".
"""
import os
import socket
import struct

UNLIMITED = 2**64 - 1
STATE_NAMES = {1: "ESTABLISHED", 2: "SYN-SENT", 4: "FIN-WAIT-1", 5: "FIN-WAIT-2", 8: "CLOSE-WAIT", 9: "LAST-ACK",
               11: "CLOSING"}
RECOVERY_STATE_NAMES = ("open", "disorder", "cwr", "recovery", "loss")
ABSENT = object()


def _rate(value):
    return "unlimited" if value == UNLIMITED else value * 8


def _unless(absent, convert=lambda value: value):
    return lambda value: ABSENT if value == absent else convert(value)


def _as_is(value):
    return value


# Offset, struct's letter, key, how the kernel's number becomes tcpscope's.
FIELDS = [
    (0, "B", "state", STATE_NAMES.get), (1, "B", "ca_state", lambda value: RECOVERY_STATE_NAMES[value]),
    (2, "B", "retransmits", _as_is), (3, "B", "probes", _as_is), (4, "B", "backoff", _as_is),
    (5, "B", "options", _as_is), (6, "B", "snd_wscale", lambda value: value & 15),
    (6, "B", "rcv_wscale", lambda value: value >> 4),
    (7, "B", "delivery_rate_app_limited", lambda value: bool(value & 1)),
    (7, "B", "fastopen_client_fail", lambda value: value >> 1 & 3),
    (8, "I", "rto_us", _as_is), (12, "I", "ato_us", _as_is), (16, "I", "snd_mss_bytes", _as_is),
    (20, "I", "rcv_mss_bytes", _as_is), (24, "I", "unacked_segments", _as_is), (28, "I", "sacked_segments", _as_is),
    (32, "I", "lost_segments", _as_is), (36, "I", "retrans_segments", _as_is), (40, "I", "fackets_segments", _as_is),
    (60, "I", "pmtu_bytes", _as_is), (64, "I", "rcv_ssthresh_bytes", _as_is), (68, "I", "rtt_us", _unless(0)),
    (72, "I", "rttvar_us", _as_is),
    (76, "I", "snd_ssthresh_segments", lambda value: ABSENT if value >= 0x7fffffff else value),
    (80, "I", "snd_cwnd_segments", _as_is), (84, "I", "advmss_bytes", _as_is),
    (88, "I", "reordering_segments", _as_is), (92, "I", "rcv_rtt_us", _unless(0)),
    (96, "I", "rcv_space_bytes", _as_is), (100, "I", "total_retrans_segments", _as_is),
    (104, "Q", "pacing_rate_bps", _rate), (112, "Q", "max_pacing_rate_bps", _rate), (120, "Q", "bytes_acked", _as_is),
    (128, "Q", "bytes_received", _as_is), (136, "I", "segs_out", _as_is), (140, "I", "segs_in", _as_is),
    (144, "I", "notsent_bytes", _as_is), (148, "I", "min_rtt_us", _unless(2**32 - 1)),
    (152, "I", "data_segs_in", _as_is), (156, "I", "data_segs_out", _as_is),
    (160, "Q", "delivery_rate_bps", _unless(0, _rate)), (168, "Q", "busy_time_us", _as_is),
    (176, "Q", "rwnd_limited_us", _as_is), (184, "Q", "sndbuf_limited_us", _as_is),
    (192, "I", "delivered_segments", _as_is), (196, "I", "delivered_ce_segments", _as_is),
    (200, "Q", "bytes_sent", _as_is), (208, "Q", "bytes_retrans", _as_is), (216, "I", "dsack_dups", _as_is),
    (220, "I", "reord_seen", _as_is), (224, "I", "rcv_ooopack", _as_is), (228, "I", "snd_wnd_bytes", _as_is),
    (232, "I", "rcv_wnd_bytes", _as_is), (236, "I", "rehash", _as_is), (240, "H", "total_rto", _as_is),
    (242, "H", "total_rto_recoveries", _as_is), (244, "I", "total_rto_time_us", lambda value: value * 1000),
    (248, "I", "received_ce_segments", _as_is), (252, "I", "delivered_e1_bytes", _as_is),
    (256, "I", "delivered_e0_bytes", _as_is), (260, "I", "delivered_ce_bytes", _as_is),
    (264, "I", "received_e1_bytes", _as_is), (268, "I", "received_e0_bytes", _as_is),
    (272, "I", "received_ce_bytes", _as_is)]

# The last four bytes mean something else in Linux 6.18 than after it.
ACCURATE_ECN_IN_618 = [(276, "H", "accecn_fail_mode", _as_is), (278, "H", "accecn_opt_seen", _as_is)]
ACCURATE_ECN_LATER = [(276, "I", "accecn_fail_mode", lambda value: value >> 4 & 15),
                      (276, "I", "accecn_opt_seen", lambda value: value >> 2 & 3)]
RUNNING_CLOCKS = {"busy_time_us", "rwnd_limited_us", "sndbuf_limited_us", "total_rto_time_us"}


def _fields():
    major, minor = (int(number) for number in os.uname().release.split(".")[:2])
    if (major, minor) == (6, 18):
        return FIELDS + ACCURATE_ECN_IN_618
    return FIELDS + (ACCURATE_ECN_LATER if major >= 7 else [])


COMPARED_KEYS = {key for _, _, key, _ in _fields()}


def read(connection):
    """{key: figure} of a socket of this process; a figure the kernel does not have is left out."""
    raw = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 512)
    figures = {}
    for offset, letter, key, convert in _fields():
        if offset + struct.calcsize(letter) > len(raw):
            continue
        figure = convert(struct.unpack_from("=" + letter, raw, offset)[0])
        if figure is not ABSENT:
            figures[key] = figure
    return figures
