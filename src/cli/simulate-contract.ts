import { contractDigest } from '#core/contract/cause.ts'
import { isoOf, parseIsoMs } from '#core/iso.ts'
import { meshTickAt, meshTickStart } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'
import { breathe } from '#core/wait.ts'
import { nodeClock } from '#node/clock.ts'
import { computeHere, creditsHere } from '#node/contract-work.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import type { ComputeOrder, ComputeOutcome } from '#numerics/contracts/fire/effects.ts'
import { simulate } from '#numerics/contracts/fire/simulate.ts'
import type { SimulatedOutcome, Simulation, SimulationPlan } from '#numerics/contracts/fire/simulation.ts'
import type { Invocation } from './command.ts'
import { readyIn } from './contract-files.ts'
import { type Exit, exits } from './exit.ts'
import { STDIN } from './files.ts'
import { happeningsIn } from './happenings.ts'
import { present, table } from './io.ts'
import { usageError } from './problem.ts'
import { withProgress } from './progress.ts'

/** Ticks of a simulation unless it is said until when: a day. */
const TICKS_DEFAULT = 111_197
/** Ticks that one simulation goes over: some ten years. */
const TICKS_MAX = 406_000_000
/** Outcomes that people see; a program sees all that are listed. */
const SHOWN_MAX = 40
/** The contract of a definition that was not deployed: it has no machine. */
const NOBODY = { id: '0'.repeat(32), contract: contractDigest('0'.repeat(64), '0'.repeat(32)) }

const instantTick = (text: string): number | undefined => {
  const ms = parseIsoMs(text)
  return ms === undefined || ms < 0 ? undefined : meshTickAt(BigInt(Math.floor(ms)) * NS_PER_MS)
}

const fromOf = (given: string | boolean | undefined): number => {
  if (given === undefined) return meshTickAt(nodeClock().now())
  const text = String(given)
  const tick = /^\d{1,15}$/.test(text) ? Number(text) : instantTick(text)
  if (tick !== undefined) return tick
  throw usageError(`--from takes an instant, such as 2027-01-01T00:00:00Z, or a mesh tick; got "${text}"`)
}

const untilOf = (given: string | boolean | undefined, from: number): number => {
  if (given === undefined) return from + TICKS_DEFAULT
  const text = String(given)
  const tick = /^\d{1,15}$/.test(text) ? from + Number(text) : instantTick(text)
  if (tick === undefined)
    throw usageError(`--until takes so many ticks, or an instant such as 2027-01-01T00:00:00Z; got "${text}"`)
  if (tick <= from) throw usageError('--until lies before the start')
  if (tick - from <= TICKS_MAX) return tick
  throw usageError(`--until lies ${tick - from} ticks ahead; ${TICKS_MAX} are the most`)
}

const timeOf = (tick: number): string => isoOf(meshTickStart(tick)).slice(0, 19).replace('T', ' ')

const changesOf = ({ changed, problem, effects, seen, outcome }: SimulatedOutcome): string => {
  const members = Object.entries(changed).map(
    ([name, [was, is]]) => `${name} ${JSON.stringify(was)} → ${JSON.stringify(is)}`,
  )
  const acts = effects.map((it) => (it.kind === 'emit' || it.kind === 'call' ? `${it.kind} ${it.event}` : it.kind))
  if (problem !== null)
    return `${problem.reason}: ${problem.message}${problem.path === undefined ? '' : ` (${problem.path})`}`
  if (outcome !== 'none') return [...members, ...acts].join(', ')
  const saw = seen.map(({ transition, values }) => `${transition} saw ${JSON.stringify(values)}`)
  return saw.length === 0 ? 'no transition from here' : saw.join('; ')
}

const causeOf = ({ by, event, due }: SimulatedOutcome): string =>
  event !== null ? event.name : due === null ? by : 'clock'

const rowOf = (it: SimulatedOutcome): readonly string[] => {
  const { tick, outcome, from, to, steps } = it
  const way = outcome === 'none' ? from : `${from} → ${to}`
  return [timeOf(tick), causeOf(it), outcome, way, steps.join(' ') || '-', changesOf(it)]
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))

const described = (found: Simulation, stub: boolean): string => {
  const { timeline, counts, spending, coverage, broken, next, stopped, tick, standing, too_deep } = found
  const total = counts.fired + counts.refused + counts.none
  const shown = timeline.slice(0, SHOWN_MAX)
  const head = ['time (UTC)', 'cause', 'outcome', 'state', 'transitions', 'what came of it']
  const lines = total === 0 ? ['nothing happens'] : table([head, ...shown.map(rowOf)]).split('\n')
  const more = total - shown.length
  const ends = {
    until: `until ${timeOf(tick)}`,
    decisions: `no further than ${timeOf(tick)}: it has decided as often as it may`,
    failures: `no further than ${timeOf(tick)}: so many failures in a row pause it`,
  }
  const facts = table([
    ['went', ends[stopped]],
    ['outcomes', `${counts.fired} fired, ${counts.refused} refused, ${counts.none} came to nothing`],
    ['state', `${standing.state}, ${JSON.stringify(standing.context)}`],
    [
      'spending',
      `${spending.credits} credits for ${spending.computations} computations${stub ? ', which were not run' : ''}`,
    ],
    ['states not entered', listed(coverage.states_missed)],
    ['transitions not taken', listed(coverage.transitions_missed)],
    [
      'next',
      next.length === 0
        ? 'nothing is due'
        : next
            .slice(0, 3)
            .map(({ tick: at }) => timeOf(at))
            .join(', '),
    ],
  ])
  const claims = broken.map(({ never, tick: at }) => `claim broken at ${timeOf(at)}: never ${never}`)
  const deep = too_deep === 0 ? [] : [`${too_deep} events and calls of its own went too deep to act`]
  return [
    ...lines.map((it) => it.trimEnd()),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
    facts,
    ...claims,
    ...deep,
  ].join('\n')
}

/** Runs a simulation, with computations in this process, and lets signals and the progress line have their turns. */
const ran = async (
  plan: SimulationPlan,
  outcomeOf: (order: ComputeOrder) => ComputeOutcome,
  { io, signal }: Pick<Invocation, 'io' | 'signal'>,
): Promise<Simulation> =>
  withProgress(io, async (tell) => {
    const simulation = simulate(plan)
    let step = simulation.next()
    for (let n = 1; step.done !== true; n += 1) {
      tell({ state: `${n} computations` })
      await breathe()
      signal.throwIfAborted()
      step = simulation.next(outcomeOf(step.value))
    }
    return step.value
  })

/** `tickmesh contracts simulate`. */
export const simulateContract = async (invocation: Invocation): Promise<Exit> => {
  const { args, options, io, signal } = invocation
  const { events, readings, stub = false } = options
  const from = fromOf(options['from'])
  const until = untilOf(options['until'], from)
  const ready = await readyIn(args[0] ?? STDIN, { tick: from, signal })
  const files = { events: events as string | undefined, readings: readings as string | undefined }
  const happenings = await happeningsIn(files, { ready, from }, signal)
  const standing = beginning(ready, NOBODY.contract, from)
  const plan: SimulationPlan = { ...NOBODY, ready, standing, from, until, happenings, priceOf: creditsHere }
  const outcomeOf = (order: ComputeOrder): ComputeOutcome => {
    if (stub === true) return { stubbed: true }
    const found = computeHere(order, { keyless: true, tick: from })
    return 'unavailable' in found ? { refused: { reason: 'gate', message: found.unavailable } } : found
  }
  const found = await ran(plan, outcomeOf, { io, signal })
  const ok = found.broken.length === 0
  present(io, { ok, from, until, stubbed: stub === true, version: ready.version, ...found }, () =>
    described(found, stub === true),
  )
  return ok ? exits.ok : exits.failure
}
