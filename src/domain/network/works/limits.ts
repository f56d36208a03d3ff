/** Beats between two heartbeats, and ticks of silence after which the far side counts as lost (trust.md, Job). */
export const BEAT_EVERY = 10
export const LOST_TICKS = 60
/** How long one thing is said before it is given up, in milliseconds: about 120 ticks. */
export const SAID_MS_MAX = 93_240
