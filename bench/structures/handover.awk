# Cells of a mobile network on a ring road, with guard channels:  awk -f handover.awk CELLS CHANNELS
#
# A call takes a channel of its cell, ends, or is handed over to one of the two neighbours.  A fifth
# of the channels are kept for handovers; a call handed over to a full cell is dropped.  The cells
# have different loads.
# Source: D. Hong, S. S. Rappaport, "Traffic model and performance analysis for cellular mobile
# radio telephone systems with prioritized and nonprioritized handoff procedures", IEEE
# Transactions on Vehicular Technology 35 (1986).
# States: (CHANNELS + 1)^CELLS - C(g + CELLS - 1, CELLS), since at least the g guard channels of one
# cell are free in all: 29735 for 3 30, 371287 for 5 12.
# Hard: rates grow with the calls in a cell, and each handover changes two components; every cell
# is coupled with both neighbours, so there is no order from front to back.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 3) {
        print "usage: awk -f handover.awk CELLS CHANNELS (at least 3 cells)" > "/dev/stderr"
        exit 2
    }
    cells = ARGV[1] + 0
    channels = ARGV[2] + 0
    guard = int(channels / 5)
    print "end = 0.5; move = 0.3;  // per minute"
    for (i = 0; i < cells; i++) {
        print "call" i " = " channels * (0.3 + 0.1 * (i % 3)) ";"
        for (k = 0; k <= channels; k++)
            cell(i, k, (i + 1) % cells, (i + cells - 1) % cells)
        network = network (i > 0 ? " <*> " : "") "Cell" i "_0"
    }
    print network
}

# Cell i with k calls, between cells j and h.
function cell(i, k, j, h,    more, text)
{
    more = "Cell" i "_" (k < channels ? k + 1 : k)
    if (k < channels - guard)
        text = "(call" i ", call" i ")." more " + "
    if (k > 0)
        text = text "(end" i ", " k " * end).Cell" i "_" k - 1 " + " \
            "(move" i "_" j ", " k " * move / 2).Cell" i "_" k - 1 " + " \
            "(move" i "_" h ", " k " * move / 2).Cell" i "_" k - 1 " + "
    print "Cell" i "_" k " = " text "(move" j "_" i ", T)." more " + (move" h "_" i ", T)." more ";"
}
