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

type Work = ResultAt<'GET /api/contribute/works'>['items'][number]

/** How a job stands. */
export const workStateWords: Readonly<Record<Work['state'], string>> = {
  offered: 'offered',
  running: 'runs here',
  working: 'runs there',
  done: 'done, and given back',
  accepted: 'checked here, and sealed',
  wrong: 'found wrong',
  over: 'came to nothing',
}

const auditWords: Readonly<Record<NonNullable<Work['found']>['audit'], string>> = {
  right: 'run again whole: right',
  wrong: 'run again whole: wrong',
  not_audited: '',
  no_work: 'no work came',
}

/** What was looked at of a work, in words. */
export const foundText = (found: Work['found']): string => {
  if (found === null) return '–'
  const { audit, samples, of } = found
  return (
    auditWords[audit] || (of === 0 ? 'its end, by this node’s own check' : `${samples} of ${of} segments, and its end`)
  )
}
