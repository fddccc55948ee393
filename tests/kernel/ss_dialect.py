"""What `ss -tinmH` of iproute2 6.1 prints, read into named tokens; and the same tokens made from tcpscope's figures.

Both sides are dictionaries from a token's name to the text ss prints for it, so that a token one side lacks shows as
well as one that differs. A word that is not known here is an error: nothing is left out in silence.
"""
import re

STATES = {"ESTAB": "ESTABLISHED", "SYN-SENT": "SYN-SENT", "FIN-WAIT-1": "FIN-WAIT-1", "FIN-WAIT-2": "FIN-WAIT-2",
          "CLOSE-WAIT": "CLOSE-WAIT", "LAST-ACK": "LAST-ACK", "CLOSING": "CLOSING"}
# ss asks for no others unless asked to.
STATES_WITHOUT_FIGURES = {"TIME-WAIT", "SYN-RECV", "CLOSE"}

AGES = {"lastsnd", "lastrcv", "lastack"}
# ss computes it: mss × cwnd / rtt.
DERIVED = {"send"}
# They run on while data waits, so that two polls never agree to the millisecond.
RUNNING_CLOCKS = {"busy", "rwnd_limited", "sndbuf_limited"}

NUMBER = re.compile(r"-?[0-9.]+(e[+-][0-9]+)?")
COLON_WORDS = {
    "wscale", "rto", "backoff", "rtt", "ato", "mss", "pmtu", "rcvmss", "advmss", "cwnd", "ssthresh", "bytes_sent",
    "bytes_retrans", "bytes_acked", "bytes_received", "segs_out", "segs_in", "data_segs_out", "data_segs_in",
    "delivered", "delivered_ce", "busy", "rwnd_limited", "sndbuf_limited", "unacked", "retrans", "lost", "sacked",
    "dsack_dups", "fackets", "reordering", "reord_seen", "rcv_rtt", "rcv_space", "rcv_ssthresh", "notsent", "minrtt",
    "rcv_ooopack", "snd_wnd"} | AGES
RATE_WORDS = {"send", "pacing_rate", "delivery_rate"}
CONGESTION_CONTROLS = {"reno", "cubic", "bbr", "dctcp", "vegas", "westwood", "htcp", "bic", "highspeed", "illinois"}


class UnknownToken(Exception):
    """A word of ss that this reader does not know."""


def parse(output, wanted):
    """What the output of `ss -tinmH` shows of the wanted pairs, as {(local, remote): tokens}."""
    sockets = {}
    for line in re.sub(r"\n[ \t]+", " ", output).splitlines():
        state, receive_queue, send_queue, local, remote, *words = line.split()
        if (local, remote) not in wanted:
            continue
        tokens = {"state": STATES[state], "recv-q": receive_queue, "send-q": send_queue}
        tokens.update(_parse_words(words))
        sockets[(local, remote)] = tokens
    return sockets


def _parse_words(words):
    tokens = {}
    words = list(words)
    while words:
        word = words.pop(0)
        name, colon, value = word.partition(":")
        if word in CONGESTION_CONTROLS:
            tokens["congestion_control"] = word
        elif word == "app_limited":
            tokens[word] = "yes"
        elif word in RATE_WORDS and words:
            tokens.update(_parse_rate(word, words.pop(0)))
        elif colon and name == "skmem":
            tokens.update(_parse_memory(value))
        elif colon and name == "bbr":
            for part in value.strip("()").split(","):
                key, _, text = part.partition(":")
                if key not in ("bw", "mrtt", "pacing_gain", "cwnd_gain"):
                    raise UnknownToken(word)
                tokens["bbr." + key] = text.removesuffix("bps")
        elif colon and name in COLON_WORDS:
            tokens[name] = value
        else:
            raise UnknownToken(word)
    return tokens


def _parse_rate(word, text):
    rates = text.split("/")
    if not all(re.fullmatch(r"[0-9]+bps", rate) for rate in rates):
        raise UnknownToken(f"{word} {text}")
    tokens = {word: rates[0].removesuffix("bps")}
    if len(rates) == 2 and word == "pacing_rate":
        tokens["max_pacing_rate"] = rates[1].removesuffix("bps")
    elif len(rates) != 1:
        raise UnknownToken(f"{word} {text}")
    return tokens


def _parse_memory(value):
    tokens = {}
    for part in value.strip("()").split(","):
        found = re.fullmatch(r"(r|rb|t|tb|f|w|o|bl|d)([0-9]+)", part)
        if not found:
            raise UnknownToken("skmem:" + value)
        tokens["skmem." + found[1]] = found[2]
    return tokens


# Token, tcpscope's key: ss prints the number as it is, and nothing where it is 0.
PLAIN_WHERE_NOT_ZERO = {
    "backoff": "backoff", "mss": "snd_mss_bytes", "pmtu": "pmtu_bytes", "rcvmss": "rcv_mss_bytes",
    "advmss": "advmss_bytes", "cwnd": "snd_cwnd_segments", "bytes_sent": "bytes_sent",
    "bytes_retrans": "bytes_retrans", "bytes_acked": "bytes_acked", "bytes_received": "bytes_received",
    "segs_out": "segs_out", "segs_in": "segs_in", "data_segs_out": "data_segs_out", "data_segs_in": "data_segs_in",
    "delivered": "delivered_segments", "delivered_ce": "delivered_ce_segments", "unacked": "unacked_segments",
    "lost": "lost_segments", "sacked": "sacked_segments", "dsack_dups": "dsack_dups", "fackets": "fackets_segments",
    "reord_seen": "reord_seen", "rcv_space": "rcv_space_bytes", "rcv_ssthresh": "rcv_ssthresh_bytes",
    "notsent": "notsent_bytes", "rcv_ooopack": "rcv_ooopack", "snd_wnd": "snd_wnd_bytes",
    "delivery_rate": "delivery_rate_bps"}
PLAIN = {
    "recv-q": "receive_queue_bytes", "send-q": "send_queue_bytes", "skmem.r": "rmem_alloc_bytes",
    "skmem.rb": "rcvbuf_bytes", "skmem.t": "wmem_alloc_bytes", "skmem.tb": "sndbuf_bytes",
    "skmem.f": "fwd_alloc_bytes", "skmem.w": "wmem_queued_bytes", "skmem.o": "optmem_bytes",
    "skmem.bl": "backlog_bytes", "skmem.d": "drops"}
# Printed in milliseconds with six significant digits.
MILLISECONDS_WHERE_NOT_ZERO = {"ato": "ato_us", "rcv_rtt": "rcv_rtt_us", "minrtt": "min_rtt_us"}

# Every key that tokens_of() reads, for the check that no figure of tcpscope goes uncompared.
COMPARED_KEYS = (set(PLAIN_WHERE_NOT_ZERO.values()) | set(PLAIN.values()) | set(MILLISECONDS_WHERE_NOT_ZERO.values()) |
                 {"state", "options", "snd_wscale", "rcv_wscale", "rto_us", "rtt_us", "rttvar_us",
                  "snd_ssthresh_segments", "pacing_rate_bps", "max_pacing_rate_bps", "delivery_rate_app_limited",
                  "busy_time_us", "rwnd_limited_us", "sndbuf_limited_us", "retrans_segments", "total_retrans_segments",
                  "reordering_segments", "bbr_bw_bps", "bbr_min_rtt_us", "bbr_pacing_gain_ratio",
                  "bbr_cwnd_gain_ratio"})


def _milliseconds(microseconds):
    return f"{microseconds / 1000:g}"


def tokens_of(connection):
    """The tokens that ss must print for a connection of tcpscope's document."""
    metrics = connection["metrics"]
    get = metrics.get
    tokens = {"state": connection["state"], "congestion_control": connection["congestion_control"]}
    tokens.update({token: str(metrics[key]) for token, key in PLAIN.items()})
    tokens.update({token: str(metrics[key]) for token, key in PLAIN_WHERE_NOT_ZERO.items() if get(key)})
    tokens.update({token: _milliseconds(metrics[key])
                   for token, key in MILLISECONDS_WHERE_NOT_ZERO.items() if get(key)})
    if get("options", 0) & 4:
        tokens["wscale"] = f"{metrics['snd_wscale']},{metrics['rcv_wscale']}"
    if get("rto_us") not in (None, 0, 3000000):
        tokens["rto"] = _milliseconds(metrics["rto_us"])
    if get("rtt_us"):
        tokens["rtt"] = f"{_milliseconds(metrics['rtt_us'])}/{_milliseconds(metrics['rttvar_us'])}"
    if get("snd_ssthresh_segments", 0xffff) < 0xffff and get("snd_ssthresh_segments"):
        tokens["ssthresh"] = str(metrics["snd_ssthresh_segments"])
    if get("delivery_rate_app_limited"):
        tokens["app_limited"] = "yes"
    if get("retrans_segments") or get("total_retrans_segments"):
        tokens["retrans"] = f"{metrics['retrans_segments']}/{metrics['total_retrans_segments']}"
    if get("reordering_segments", 3) != 3:
        tokens["reordering"] = str(metrics["reordering_segments"])
    if get("pacing_rate_bps", "unlimited") not in (0, "unlimited"):
        tokens["pacing_rate"] = str(metrics["pacing_rate_bps"])
        if get("max_pacing_rate_bps", "unlimited") not in (0, "unlimited"):
            tokens["max_pacing_rate"] = str(metrics["max_pacing_rate_bps"])
    tokens.update(_clock_tokens(metrics))
    if "bbr_bw_bps" in metrics:
        tokens.update({"bbr.bw": str(metrics["bbr_bw_bps"]), "bbr.mrtt": _milliseconds(metrics["bbr_min_rtt_us"])})
        for gain in ("pacing_gain", "cwnd_gain"):
            if metrics[f"bbr_{gain}_ratio"]:
                tokens["bbr." + gain] = f"{metrics[f'bbr_{gain}_ratio']:g}"
    return tokens


def _clock_tokens(metrics):
    busy = metrics.get("busy_time_us")
    if not busy:
        return {}
    tokens = {"busy": f"{busy // 1000}ms"}
    for clock in ("rwnd_limited", "sndbuf_limited"):
        spent = metrics[clock + "_us"]
        if spent:
            tokens[clock] = f"{spent // 1000}ms({100 * spent / busy:.1f}%)"
    return tokens


def leading_number(text):
    """The number a token starts with: 12 for `12ms(3.4%)`."""
    return float(NUMBER.match(text)[0])
