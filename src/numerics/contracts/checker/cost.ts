import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { type Action, COMPUTATIONS_MAX, type Definition, type Trigger } from '#numerics/contracts/definition/schema.ts'
import { actionsOf, type Model, modelOf, type Placed } from './model.ts'
import { type Clocks, COUNTED_MAX, perDay } from './rates.ts'

/** Transitions of `always` that may follow a fire. */
const ALWAYS_MAX = 16

/** What an amount is worked out of: what one action takes, in credits or seconds; undefined where nobody knows. */
export type Weigh = (action: Action) => number | undefined

/** What a day may cost at most. */
export interface CostPerDay {
  /** Fires of triggers of the clock. */
  readonly fires: number
  /** Undefined where a price is not known. */
  readonly credits: number | undefined
  /** By trigger, in the order of the definition. */
  readonly by: readonly {
    readonly trigger: Trigger
    /** The first transition that waits for it. */
    readonly path: string
    readonly transitions: readonly string[]
    /** Undefined where others decide how often it comes: events, and what is asked by hand. */
    readonly fires: number | undefined
    /** Of one fire at most, transitions of `always` after it included. */
    readonly creditsPerFire: number | undefined
    readonly credits: number | undefined
  }[]
}

const sum = (all: readonly (number | undefined)[]): number | undefined =>
  all.reduce((so, it) => (so === undefined || it === undefined ? undefined : so + it), 0)
const most = (all: readonly (number | undefined)[]): number | undefined =>
  all.reduce((so, it) => (so === undefined || it === undefined ? undefined : Math.max(so, it)), 0)

/** What computations take at most that transitions of `always` bring from a state on. */
const following = (model: Model, weigh: Weigh): ((state: string) => number | undefined) => {
  let after = new Map<string, number | undefined>(model.states.map((state) => [state, 0]))
  for (let i = 0; i < ALWAYS_MAX; i += 1) {
    const next = new Map<string, number | undefined>()
    for (const state of model.states) {
      const out = (model.from.get(state) ?? []).filter(({ it }) => it.trigger.kind === 'always')
      const each = out.map((placed) => sum([own(model, placed, { from: state, weigh }), after.get(placed.it.to)]))
      next.set(state, most(each))
    }
    if (model.states.every((state) => next.get(state) === after.get(state))) break
    after = next
  }
  return (state) => after.get(state)
}

const own = (model: Model, placed: Placed, { from, weigh }: { readonly from: string; readonly weigh: Weigh }) =>
  sum(actionsOf(model, placed, from).map(weigh))

/** The dearest single action of a definition: no fire has more than {@link COMPUTATIONS_MAX} computations. */
const dearest = ({ definition }: Model, weigh: Weigh): number | undefined =>
  most(
    [
      ...Object.values(definition.states).flatMap(({ entry, exit }) => [...entry, ...exit]),
      ...definition.transitions.flatMap(({ actions }) => actions),
    ].map(weigh),
  )

/** What one fire of some transitions takes at most. */
export const perFire = (model: Model, weigh: Weigh): ((placed: readonly Placed[]) => number | undefined) => {
  const after = following(model, weigh)
  const bound = dearest(model, weigh)
  return (placed) => {
    const each = placed.flatMap((one) =>
      one.it.from.map((from) => sum([own(model, one, { from, weigh }), after(one.it.to)])),
    )
    const found = most(each)
    return found === undefined || bound === undefined ? found : Math.min(found, bound * COMPUTATIONS_MAX)
  }
}

/** Whether a state can be entered again from itself. */
const returning = (model: Model): ReadonlySet<string> => {
  const next = new Map(
    model.states.map((state) => [
      state,
      (model.from.get(state) ?? []).flatMap(({ it }) =>
        it.on_refused === undefined ? [it.to] : [it.to, it.on_refused],
      ),
    ]),
  )
  const returns = (state: string): boolean => {
    const seen = new Set<string>()
    const waiting = [...(next.get(state) ?? [])]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === state) return true
      if (seen.has(at)) continue
      seen.add(at)
      waiting.push(...(next.get(at) ?? []))
    }
    return false
  }
  return new Set(model.states.filter(returns))
}

/** Transitions by trigger, in the order of the definition. */
export const byTrigger = (model: Model): readonly (readonly [Trigger, readonly Placed[]])[] =>
  [...Map.groupBy(model.transitions, ({ it }) => JSON.stringify(it.trigger)).values()].flatMap((placed) => {
    const [first] = placed
    return first === undefined || first.it.trigger.kind === 'always' ? [] : [[first.it.trigger, placed] as const]
  })

/** The same for a definition that was prepared already. */
export const costOf = (model: Model, clocks: Clocks, priceOf: Weigh): CostPerDay => {
  const price = perFire(model, priceOf)
  const again = returning(model)
  const by = byTrigger(model).map(([trigger, placed]) => {
    const sources = new Set(placed.flatMap(({ it }) => it.from))
    const rate = perDay(trigger, clocks)
    const once = ![...sources].some((state) => again.has(state))
    const fires = rate === undefined ? undefined : once ? Math.min(rate, sources.size) : rate
    const creditsPerFire = price(placed)
    const credits = fires === undefined || creditsPerFire === undefined ? undefined : fires * creditsPerFire
    const transitions = placed.map(({ it }) => it.id)
    return { trigger, path: placed[0]?.path ?? '', transitions, fires, creditsPerFire, credits }
  })
  const timed = by.filter(({ fires }) => fires !== undefined)
  return {
    fires: timed.reduce((all, { fires = 0 }) => all + fires, 0),
    credits: sum(timed.map(({ credits }) => credits)),
    by,
  }
}

/**
 * What a contract may cost in a day at most, when every trigger of the clock pulls as often as it can and every fire goes
 * the dearest way. Events come as often as others send them: for those it says what one fire costs.
 *
 * @param of `priceOf` in credits; `from` in Unix seconds, the beginning of the year whose changes of clocks count.
 */
export const costPerDay = (
  definition: Definition,
  of: { readonly priceOf: Weigh; readonly from: number; readonly zones?: Readonly<Record<string, ZoneTable>> },
): CostPerDay => {
  const { priceOf, from, zones = {} } = of
  const clocks = { timezone: definition.timezone, zones, from, counted: { left: COUNTED_MAX } }
  return costOf(modelOf(definition), clocks, priceOf)
}
