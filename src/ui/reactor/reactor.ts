import type { ResultAt } from '#api/result-of.ts'

/** One page of a trajectory. */
export type Trajectory = ResultAt<'GET /api/svc/reactor/trajectory'>

/** A reactor as the node shows it. */
export type Reactor = Trajectory['reactor']

/** One step of a trajectory. */
export type ReactorStep = Omit<Trajectory['rows'][number], 'entry'>

/** A step with its entry in the chain of the machine, as the node gives it: nothing of it is checked. */
export type ProvedStep = Trajectory['rows'][number]

/** The id of a reactor. */
export const REACTOR_ID = /^[0-9a-f]{32}$/

/** Percent beyond which nothing is sealed: what the errors of all steps may add up to. */
export const ERROR_PCT_BOUND = 0.1

/** The solver's name, without its revision. */
export const solverOf = ({ solver }: Reactor): string => solver.split('@')[0] ?? solver

/** How a status is coloured. */
export const statusClass = {
  ready: 'sealed',
  stepping: 'promised',
  complete: 'final',
  stopped: 'final',
  refused: 'bad',
} as const
