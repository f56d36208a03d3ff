import type { TraceStep } from '#numerics/contracts/checker/finding.ts'
import type { ContractHappening } from '#numerics/contracts/fire/simulation.ts'

/**
 * What a simulation is given to play a trace: its readings and events. Instants that are due come by themselves, where
 * computations stand for none and the contract's digest is 64 zeros.
 *
 * @param start mesh tick of the beginning: the one that the check began with.
 */
export const happeningsOf = (trace: readonly TraceStep[], start: number): readonly ContractHappening[] =>
  trace.flatMap(({ tick, event, readings = {} }): readonly ContractHappening[] => [
    ...Object.entries(readings).map(
      ([oracle, value]): ContractHappening => ({ tick: start + tick, kind: 'reading', oracle, value }),
    ),
    ...(event === undefined ? [] : [{ tick: start + tick, kind: 'event', ...event } as const]),
  ])
