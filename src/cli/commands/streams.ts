import type { Command } from '#cli/command.ts'
import { streamsFollow } from './streams-follow.ts'
import { streamsLife } from './streams-life.ts'
import { streamsRead } from './streams-read.ts'
import { streamsSecure } from './streams-secure.ts'

/** Hosted computations that tick: made, ticked, read, followed, and read over an encrypted way. */
export const streams: readonly Command[] = [...streamsLife, ...streamsRead, streamsFollow, streamsSecure]
