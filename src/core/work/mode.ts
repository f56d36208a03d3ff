/** What a node does with its threads (interface.md, Contribution); all but `idle` need a bond. */
export const contributionModes = ['idle', 'contributing', 'experimenting'] as const
export type Mode = (typeof contributionModes)[number]

/** Credits of an envelope of one operator, and free ones of a day: a thousand envelopes take about 23 days. */
export const ENVELOPE_CREDITS = 3
export const DAY_CREDITS = 128
