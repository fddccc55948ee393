"""What LANGUAGE forbids, as data: rule 7, the metaphors of rule 5 and the left side of the glossary.

A turn is (pattern, what to write instead). A blank in a pattern stands for any white space, also across lines. PROSE is
searched in comments, string literals and documents, NAMES in identifiers and file names split into words ("sentAgain" is
"sent again"), TITLES are whole string literals that begin with a capital.
"""

import re

PROSE = [
    # Turns translated from another language.
    (r"(?:un|re)?told|tells?|telling", "report, reported; unknown, not reported"),
    (r"(?:say|says|said|saying) of", "report; the value of"),
    (r"what (?:became|becomes|has become|had become|will become) of", "the state of, the result of"),
    (r"whoever|whomever|nobody|somebody|anybody", "name the caller, the reader or the thread; no …, any …"),
    (r"(?:(?:a|an|each|one|every|the|first|last|next|previous|this|per|its|latest|newest|another|second) look|"
     r"(?:two|three|\d+|the|these|those|several|missed|between|all|no|its|more|many|few) looks)"
     r"(?![- ]?(?:up|like|and|at|ups|as|for)\b)", "poll, sample"),
    (r"looks? (?:is |are |was |were )?(?:lost|missed)|looked for (?=\d|\{)", "missed poll; observed for"),
    (r"of before", "previous"),
    (r"anew", "again, from the start; collapsed"),
    (r"(?:throw|throws|threw|thrown|throwing) (?:\w+ )?away", "drop, dropped, discarded; pruned"),
    (r"(?:sent|send|sends|sending) again", "retransmitted, retransmission"),
    (r"(?:stand|stands|stood|standing) in the way", "prevents, blocks"),
    (r"puts? (?:it |them |this |that )?right(?! (?:after|before|in|into|on|at|beside|next|side|edge))", "fix, fixed"),
    (r"(?:let|lets|letting) (?:it |them |him |\w+ )?go", "release, drop"),
    (r"by (?:itself|themselves)", "automatically; alone"),
    (r"(?:is|are|was|were) (?:not |no longer |still |already |always |really )?there(?! (?:a|an|any|no|anything|something|"
     r"nothing|enough|more)\b)", "exists, is present, is installed"),
    (r"(?:comes|came) to(?! (?:rest|light|mind))", "amounts to, is; reaches"),
    (r"(?:for )?want of", "lack of, without"),
    # The glossary's left side.
    (r"program reads too slowly|reads? too slowly", "the receiving application reads slowly"),
    (r"programs? sends no more", "application-limited"),
    (r"(?:held|hold|holds|holding) (?:\w+ )?back", "limited by"),
    (r"path is full", "bottleneck saturated"),
    (r"(?:room|place) for (?:the |more |new )?(?:data|bytes)|room in the (?:window|buffer)", "buffer space"),
    (r"window's edge", "right edge of the window"),
    (r"way to the sender", "vantage-point delay"),
    (r"round[- ]trips?(?![- ]times?\b)", "RTT"),
    (r"capture point (?:is )?not known", "vantage point unknown"),
    (r"largest packet", "MTU, path MTU"),
    (r"errors on the cable", "interface errors"),
    (r"link lost and found", "link flaps (carrier changes)"),
    (r"delay of interrupts", "interrupt coalescing"),
    (r"bus of the adapter|neighbours? on the bus", "PCIe link, shared PCIe bridge"),
    (r"receive ring of the adapter", "RX ring"),
    (r"packets not sent", "TX drops"),
    (r"backlog of packets", "softnet backlog drops (netdev_max_backlog)"),
    (r"time for packets", "softnet time_squeeze (netdev_budget)"),
    (r"processors that share the work", "RSS/RPS balance, softirq load"),
    (r"packed or not", "compressed or not"),
    (r"backlog of sockets", "socket backlog drops (TCPBacklogDrop)"),
    (r"send queues too large", "TCPWqueueTooBig"),
    (r"thresholds that TCP remembers", "cached ssthresh (tcp_metrics)"),
    (r"others that tune", "tuning daemons"),
    (r"memory of the control group", "cgroup memory pressure"),
    (r"held out of order by the peer", "SACKed"),
    (r"believed lost", "lost (kernel estimate)"),
    (r"outstanding", "in flight"),
    (r"timer back-?off", "RTO backoff"),
    (r"segment size (?:sent|received)|advertised segment size", "send MSS, receive MSS, advertised MSS"),
    (r"copied an agent", "deploy, install temporary agent"),
    (r"speech|agent's conversation", "protocol, session"),
    (r"giants?", "GSO/GRO aggregate"),
    (r"(?:holes? (?:was |were )?filled|filled holes?)", "gap filled (upstream loss)"),
    (r"count from now on", "reset counters"),
    (r"what mends", "how to enable it"),
    (r"without names", "anonymized"),
    (r"peer's window", "peer's receive window (rwnd)"),
    (r"congestion window in bytes", "cwnd (bytes)"),
    (r"under way|on (?:its|their) way", "in flight; in progress"),
    (r"agreed on", "negotiated"),
    (r"process numbers?", "PID"),
    (r"recovery state", "CA state"),
    (r"timeouts in a row", "consecutive RTOs"),
    (r"since data was sent", "time since last send"),
    (r"fixed by the program", "set with SO_SNDBUF / SO_RCVBUF"),
    (r"tuned by the kernel", "autotuned"),
    (r"routers mark packets as congested", "ECN CE marks"),
    (r"% sure|hardly in doubt", "confidence"),
    (r"should bring", "expected gain"),
    (r"in force at", "active on"),
    (r"queue stands", "a queue has built up"),
    (r"book of paths|path book", "path history"),
    (r"show the truth", "show answer"),
    (r"back to this machine", "close file"),
    (r"at this host as root", "run as root"),
    (r"(?:not|never) tried again", "disconnected (reason)"),
    (r"wish(?:es|ed)?(?! to\b)|wants", "request, expected"),
]

NAMES = [
    (r"(?:un)?told|tells?|telling", "reported, report, known"),
    (r"whoever|nobody|somebody|anybody", "name what it is"),
    (r"looks?(?! (?:up|ups|ahead|behind|around|and|like|at|for|into)\b)|looked", "poll, sample"),
    (r"anew|of before|for want of|thrown away|became of|by itself|let go|put right|in the way|comes to", "plain English"),
    (r"(?:sent|send|sends|sending) again", "retransmitted"),
    (r"other end|far end", "peer"),
    (r"held back|holds back", "limited"),
    (r"round trips?(?! time\b)", "rtt"),
    (r"giants?", "aggregate"),
    (r"wish(?:es|ed)?|wants", "request, expected"),
    (r"speech|patience|courses?|signs", "a noun the field knows"),
    (r"outstanding", "inFlight"),
    (r"believed lost|process number|largest packet", "lost, pid, mtu"),
    (r"way to sender|path book", "delay to the sender (vantage-point delay), path history"),
]

TITLES = [
    (r"sent again", "Retrans"),
    (r"sending", "Tx rate"),
    (r"receiving", "Rx rate"),
    (r"began", "Start"),
    (r"lasted", "Duration"),
    (r"places?", "Host, Network namespace"),
    (r"aim", "Goal"),
    (r"reach", "Applies to"),
    (r"brings|what it should bring", "Expected gain, Expected"),
    (r"reverse path", "Reverse-path filter (rp_filter)"),
    (r"round trip", "RTT"),
    (r"under way|on its way|outstanding", "In flight"),
    (r"(?:the )?other end", "Peer"),
    (r"hole filled|filled hole", "Gap filled"),
    (r"recovery state", "CA state"),
    (r"wish", "Request, Expected"),
    (r"truth", "Answer"),
]

# At most ten: (file or folder, what is found there, why it stays).
ALLOWED = [
    ("core/changes/persisted_settings.cpp", "somebody",
     "files under /etc/sysctl.d that earlier versions wrote are recognised by this line"),
]


class Turns:
    """Patterns of one kind, and one that finds out quickly that none of them matches."""

    def __init__(self, turns):
        self.each = [(self._compiled(pattern), use) for pattern, use in turns]
        self.any = self._compiled("|".join(f"(?:{pattern})" for pattern, _ in turns))

    @staticmethod
    def _compiled(pattern):
        return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)".replace(" ", r"\s+"), re.IGNORECASE)
