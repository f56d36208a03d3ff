import { Fault } from '#core/fault.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { type Compartments, startOf } from './problem.ts'
import { type EpiInput, PEOPLE_MAX } from './schema.ts'

/** Powers of e by which the susceptible may fall: beyond, no double holds them. */
const FALL_MAX = 690
/** Least share of the susceptible that moves, by an estimate: below it there is no signal to check. */
const MOVED_MIN = 1e-11
/** Time of the run in units of the fastest rate, at most: an explicit method needs a third of so many steps. */
const SPAN_MAX = 200_000
/** Disagreement of given compartments with N. */
const SUM_SHARE = 1e-9

const refuseCompartments = (input: EpiInput): void => {
  const { N, I0, E0, R0, initial, vaccination, model } = input
  if (initial === undefined) {
    const taken = I0 + R0 + (model === 'SEIR' ? E0 : 0)
    if (taken <= N) return
    throw new Fault('ILL_POSED', `${taken} people are infected or recovered at time 0, of ${N}.`, {
      measured: taken,
      limit: N,
      // Half of them: somebody must be left to infect.
      ...(2 * taken <= PEOPLE_MAX ? { N: 2 * taken } : {}),
    })
  }
  const { S, E, I, R, V } = initial
  const sum = S + E + I + R + V
  if (Math.abs(sum - N) > SUM_SHARE * N) {
    throw new Fault('ILL_POSED', `The initial compartments add up to ${sum}, not to N = ${N}.`, {
      measured: sum,
      limit: N,
      N: sum,
    })
  }
  if (model === 'SIR' && E > 0) wrong('/initial/E', 'SIR has no exposed.')
  if (vaccination.initialFraction > 0) {
    wrong('/vaccination/initialFraction', 'the initial compartments say already who is vaccinated.')
  }
}

/** Share of the susceptible that leaves, from below: a lone generation of infections, and vaccination. */
const movedBy = ({ beta, gamma, sigma, N, t_max, vaccination }: EpiInput, { E, I }: Compartments): number => {
  const infectious = I + (E * sigma * t_max) / (1 + sigma * t_max)
  return (beta * infectious * t_max) / (1 + gamma * t_max) / N + vaccination.rate * t_max
}

/** What would make enough of the susceptible move, the mildest first; nothing when nobody could infect. */
const moving = (input: EpiInput): Partial<EpiInput> => {
  const half = input.N / 2
  const milder = { I0: Math.min(half, 10) }
  const tried = [milder, { I0: half }, { beta: 0.3 }, { beta: 0.3, ...milder }, { beta: 0.3, I0: half }]
  const enough = (more: Partial<EpiInput>): boolean => {
    const other = { ...input, ...more }
    const start = startOf(other)
    return start.S > 0 && movedBy(other, start) >= 2 * MOVED_MIN
  }
  return tried.find(enough) ?? {}
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (more people than there are, nobody susceptible, nothing that moves), INVALID_INPUT (initial
 * compartments that contradict the rest), OUT_OF_RANGE (susceptible that no double holds), WORK_LIMIT_EXCEEDED (time
 * against the fastest rate), each with what would pass.
 */
export const refuseEpi = (input: EpiInput): void => {
  refuseCompartments(input)
  const { beta, gamma, sigma, t_max, vaccination } = input
  const start = startOf(input)
  if (start.S <= 0) {
    const { I0, E0, R0, N, model, initial } = input
    const open = N - I0 - R0 - (model === 'SEIR' ? E0 : 0)
    throw new Fault('ILL_POSED', 'Nobody is susceptible at time 0.', {
      measured: start.S,
      limit: 0,
      ...(initial === undefined && open > 0 ? { vaccination: { rate: vaccination.rate, initialFraction: 0 } } : {}),
      ...(initial === undefined && open <= 0 && 2 * N <= PEOPLE_MAX ? { N: 2 * N } : {}),
    })
  }
  const fastest = Math.max(beta, gamma, sigma, vaccination.rate)
  const span = t_max * fastest
  if (span > SPAN_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `t_max is ${span} times the shortest time scale; ${SPAN_MAX} is allowed.`, {
      measured: span,
      limit: SPAN_MAX,
      t_max: (0.999999 * SPAN_MAX) / fastest,
    })
  }
  const moved = movedBy(input, start)
  if (!(moved >= MOVED_MIN)) {
    throw new Fault(
      'ILL_POSED',
      `About ${moved} of the susceptible would move; below ${MOVED_MIN} nothing is to judge.`,
      {
        measured: moved,
        limit: MOVED_MIN,
        ...moving(input),
      },
    )
  }
  const fall = Math.min(beta * t_max, gamma === 0 ? Number.MAX_VALUE : beta / gamma) + vaccination.rate * t_max
  if (fall <= FALL_MAX) return
  throw new Fault('OUT_OF_RANGE', `The susceptible may fall by e^${fall}; e^${FALL_MAX} is allowed.`, {
    measured: fall,
    limit: FALL_MAX,
    t_max: (0.999999 * FALL_MAX) / (beta + vaccination.rate),
  })
}
