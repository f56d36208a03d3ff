export type { Caller } from '#core/caller.ts'
