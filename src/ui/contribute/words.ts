import type { ResultAt } from '#api/result-of.ts'

export type Contributing = ResultAt<'GET /api/contribute/status'>
export type ContributeRules = ResultAt<'GET /api/contribute/policy'>
export type ContributeMode = Contributing['mode']

/** All modes, in the order in which they are offered. */
export const modes: readonly ContributeMode[] = ['idle', 'contributing', 'experimenting']

/** What each mode does, in a sentence. */
export const modeWords: Readonly<Record<ContributeMode, string>> = {
  idle: 'Nothing is computed for others.',
  contributing: 'The node computes for others, when its own calls leave it a thread. Its bond answers for the results.',
  experimenting: 'The node computes for itself alone: work of others is refused, and what runs is given back.',
}

/** What a bond's state means. */
export const stateWords: Readonly<Record<NonNullable<Contributing['bond']>['state'], string>> = {
  locking: 'being made',
  held: 'stands',
  releasing: 'released; locked until nothing under it can be disputed',
  over: 'over',
  withheld: 'lost: a work under it was proven wrong',
  undoing: 'being undone',
}
