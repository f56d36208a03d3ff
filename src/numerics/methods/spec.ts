import Type, { type Static } from 'typebox'
import type { Moment } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { anything, closed, count, finite, integer, oneOf, orNull, pair, text } from '#core/schema.ts'
import { PULSE_HZ_EXACT, TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeCertain } from '#numerics/operators/compute.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { KERNEL_ID, type OperatorRegistry } from '#numerics/operators/registry.ts'
import { ALPHA, BETA_MAX, BETA_MIN } from '#numerics/runtime/modulation.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'

/** Ids a spec may list: more than can be computed, so that the refusal says why. */
const IDS_MAX = 16
/** Largest tick of an input: ticks of ten thousand years. */
export const TICK_MAX = 1e12

/** What is computed once and looked at from many moments. The default is five kilograms at 2 m/s²: 10 N. */
export const specSchema = closed(
  {
    operators: Type.Array(text(64, { minLength: 1 }), {
      minItems: 1,
      maxItems: IDS_MAX,
      default: ['NM19'],
      description: '1 to 3 operator ids in the order of the chain, in any case; KO42 may be left out.',
    }),
    inputs: Type.Record(Type.String({ maxLength: 64 }), anything(), {
      default: { m: 5, a: 2 },
      description: 'Symbol, name or alias → a number in the unit of the variable, or a text with a unit (`5 km`).',
    }),
    solve_for: Type.Optional(
      orNull(text(64), { description: 'The unknown, when it is not the output of the operator.' }),
    ),
    bracket: Type.Optional(orNull(pair('Two values in SI, the lesser first, around the root that is meant.'))),
    domain: Type.Optional(text(64, { minLength: 1, description: 'Domain that one of the operators must be of.' })),
  },
  { default: {}, description: 'What is computed: operators and their inputs.' },
)

export type Spec = Static<typeof specSchema>

/** Where in time: what a caller leaves out, the node fills in before the inputs are sealed. */
export const momentSchema = (name: string) => ({
  phaseNs: orNull(integer({ minimum: 0, maximum: Number(TICK_NS) - 1, 'x-unit': 'ns' }), {
    default: null,
    description: `Nanoseconds into the tick: those of this moment when ${name} is left out too, else 0.`,
  }),
  genesis: orNull(count({ maximum: TICK_MAX }), {
    default: null,
    description: 'Mesh tick of tick 0; that of the node when left out.',
  }),
})

/** A tick of the node's own count, left out for the current one. */
export const tickSchema = orNull(count({ maximum: TICK_MAX }), {
  default: null,
  description: 'Tick since the genesis of the node; the current one when left out.',
})

/** KO42's amplitude: α, or a caller's own. */
export const amplitudeMembers = <const M extends readonly string[]>(modes: M, description: string) => ({
  mode: oneOf(modes, { default: 'automatic', description }),
  beta: orNull(finite({ minimum: BETA_MIN, maximum: BETA_MAX }), {
    default: null,
    description: 'Amplitude of the manual mode.',
  }),
})

interface When {
  readonly phaseNs: number | null
  readonly genesis: number | null
}

/** What a node fills in: its tick and nanoseconds where no tick is named, 0 ns of a named one, its genesis. */
export const filledIn = <I extends When>(input: I, tick: number | null, { instant, tick: now, meshTick }: Moment) => ({
  // A node that is younger than a tick has none yet: its first one counts.
  tick: tick ?? Math.max(0, now),
  phaseNs: input.phaseNs ?? (tick === null ? Number(instant % TICK_NS) : 0),
  genesis: input.genesis ?? meshTick - now,
})

/** The amplitude of a mode. */
export const amplitudeOf = ({ mode, beta }: { readonly mode: string; readonly beta: number | null }): number =>
  mode === 'manual' ? (beta ?? ALPHA) : ALPHA

/** Refuses an amplitude that the mode does not read, or one that it lacks. @throws Fault INVALID_INPUT */
export const refuseAmplitude = ({ mode, beta }: { readonly mode: string; readonly beta: number | null }): void => {
  if (mode === 'manual' && beta === null) wrong('/beta', 'is missing; the manual mode takes its amplitude from it.')
  if (mode !== 'manual' && beta !== null) wrong('/beta', `is not read in the ${mode} mode.`)
}

/** The ids of a spec as the registry writes them, KO42 left out. */
export const idsOf = ({ operators }: Spec): readonly string[] =>
  operators.map((id) => id.trim().toUpperCase()).filter((id) => id !== KERNEL_ID)

/** Computes a spec. @throws Fault of the operator pipeline; INVALID_INPUT for a domain that no operator is of. */
export const computed = (registry: OperatorRegistry, { domain, ...order }: Spec): Computation => {
  const found = computeCertain(registry, order as Order)
  if (domain === undefined) return found
  const domains = found.chain.map((link) => link.domain)
  if (!domains.includes(domain.trim().toLowerCase())) {
    wrong('/spec/domain', `is not the domain of these operators: ${domains.join(', ')}.`)
  }
  return found
}

/** Values nearer to 0 have not the digits to carry an amplitude: they are at the end of the range of doubles. */
const VALUE_MIN = 1e-290

/** Refuses a value that no amplitude can be told on. @throws Fault ILL_POSED */
export const refuseZero = ({ value }: Computation): void => {
  if (Math.abs(value) >= VALUE_MIN) return
  throw new Fault('ILL_POSED', `The value of the spec is ${value}: there is nothing to modulate.`, {
    measured: value,
    limit: VALUE_MIN,
  })
}

interface Modulated {
  readonly spec: Spec
  readonly mode: string
  readonly beta: number | null
}

/** What the solvers that look at one computation from many moments have in common. */
export const overSpec = <I extends Modulated>(registry: () => OperatorRegistry) => {
  const specOf = ({ spec }: I): Computation => computed(registry(), spec)
  return {
    specOf,
    members: {
      domain: 'kernel',
      operators: ['NM19'],
      unit: 'N',
      unitOf: (input: I) => specOf(input).unit,
      operatorsOf: ({ spec }: I) => idsOf(spec),
      kernels: ['math'],
      refuse: (input: I) => {
        refuseAmplitude(input)
        refuseZero(specOf(input))
      },
      readsRegistry: () => true,
    },
    /** The run that has its answer at once. */
    whole: <O>(answer: (input: I, found: Computation) => O) => ({
      kind: 'whole' as const,
      solve: (input: I, progress: Progress): Outcome<O, null> => {
        const output = answer(input, specOf(input))
        progress({ step: 1, steps: 1 })
        return { output, evidence: null }
      },
    }),
  } as const
}

/** π to more digits than are kept. */
export const PRECISE_PI = new Precise('3.14159265358979323846264338327950288419716939937510582097494459')

/** sin 2π·num/den at 50 digits. */
export const preciseSine = (num: bigint, den: bigint) =>
  new Precise(num.toString()).div(den.toString()).times(PRECISE_PI).times(2).sin()

/** What the answer says of the clock, the same for every node. */
export const CLOCK = { pulseHz: PULSE_HZ_EXACT, tickSec: TICK_SECONDS } as const

/** Unix nanoseconds of a tick and nanoseconds into it, as a decimal text. */
export const instantText = (genesis: number, tick: number, phaseNs: number): string =>
  ((BigInt(genesis) + BigInt(tick)) * TICK_NS + BigInt(phaseNs)).toString()

/** KO42's amplitude as its definition has it, for the checks: 0.001, or the caller's own. */
export const statedAmplitude = ({ mode, beta }: { readonly mode: string; readonly beta: number | null }): number =>
  mode === 'manual' ? (beta ?? Number.NaN) : 1e-3

interface Told {
  readonly pulseHz: number
  readonly tickSec: number
  readonly computedAt: string
}

/** Whether an answer's clock is the one of 777,000,777 ns, and its moment the one named: by integers, backwards. */
export const tellsMoment = (
  { pulseHz, tickSec, computedAt }: Told,
  { genesis, tick, phaseNs }: { readonly genesis: number; readonly tick: number; readonly phaseNs: number },
): boolean => {
  if (!/^\d{1,40}$/.test(computedAt)) return false
  const whole = BigInt(computedAt) / 777_000_777n
  const rest = BigInt(computedAt) % 777_000_777n
  const clock = tickSec === 0.777000777 && Math.abs(pulseHz * tickSec - 1) < 3e-16
  return clock && whole === BigInt(genesis) + BigInt(tick) && rest === BigInt(phaseNs)
}
