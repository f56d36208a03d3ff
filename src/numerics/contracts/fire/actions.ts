import type { Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { pointer } from '#core/input.ts'
import { type Declared, unfit } from '#numerics/contracts/definition/members.ts'
import { isPart } from '#numerics/contracts/definition/pieces.ts'
import type { Action, DataMember, Definition } from '#numerics/contracts/definition/schema.ts'
import type { ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { type ComputeOrder, type ComputeOutcome, type FireEffect, refuse, WantedResult } from './effects.ts'
import { type Filling, filled, readyValue } from './programs.ts'

/** A member that an action gives a value. */
interface ReadyMember {
  readonly name: string
  readonly path: string
  readonly declared: Declared | undefined
  readonly value: Filling
}

/** An action made ready, once for a version. */
export type ReadyAction = { readonly path: string } & (
  | { readonly kind: 'set'; readonly members: readonly ReadyMember[] }
  | {
      readonly kind: 'compute'
      readonly of: Pick<ComputeOrder, 'solver' | 'operators' | 'bind'>
      readonly inputs: Filling
      readonly bind: readonly { readonly name: string; readonly declared: Declared | undefined }[]
    }
  | { readonly kind: 'emit'; readonly event: string; readonly members: readonly ReadyMember[] }
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: Filling }
  | {
      readonly kind: 'notify'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: Filling
    }
  | { readonly kind: 'call'; readonly contract: string; readonly event: string; readonly data: Filling }
)

const own = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

const readyMembers = (
  given: Readonly<Record<string, Json>>,
  path: string,
  declared: Readonly<Record<string, Declared>>,
): readonly ReadyMember[] =>
  Object.entries(given).map(([name, value]) => {
    const at = pointer(path, name)
    return { name, path: at, declared: own(declared, name), value: readyValue(value, at) }
  })

/** Makes an action ready. */
export const readyAction = (it: Action, path: string, { context, events }: Definition): ReadyAction => {
  switch (it.kind) {
    case 'compute': {
      const { solver, operators, inputs, bind = {} } = it as Extract<Action, { kind: 'compute' }>
      return {
        path,
        kind: 'compute',
        of: { bind, ...(solver === undefined ? {} : { solver }), ...(operators === undefined ? {} : { operators }) },
        inputs: readyValue(inputs as Json, `${path}/inputs`),
        bind: Object.keys(bind).map((name) => ({ name, declared: own(context, name) })),
      }
    }
    case 'emit': {
      const { event, data } = it as Extract<Action, { kind: 'emit' }>
      const declared: Readonly<Record<string, DataMember>> = own(events, event)?.data ?? {}
      const members = readyMembers(data as Readonly<Record<string, Json>>, `${path}/data`, declared)
      return { path, kind: 'emit', event, members }
    }
    case 'transfer': {
      const { to, amount } = it as Extract<Action, { kind: 'transfer' }>
      return { path, kind: 'transfer', to, amount: readyValue(amount as Json, `${path}/amount`) }
    }
    case 'notify': {
      const { url, body, headers } = it as Extract<Action, { kind: 'notify' }>
      return { path, kind: 'notify', url, headers, body: readyValue(body as Json, `${path}/body`) }
    }
    case 'call': {
      const { contract, event, data } = it as Extract<Action, { kind: 'call' }>
      return { path, kind: 'call', contract, event, data: readyValue(data as Json, `${path}/data`) }
    }
    default: {
      const { kind: _, ...members } = it
      return { path, kind: 'set', members: readyMembers(members as Readonly<Record<string, Json>>, path, context) }
    }
  }
}

/** What a list of actions reads and changes. */
export interface ActionRun {
  /** What expressions read; its context is replaced by what is set. */
  readonly values: { context: Readonly<Record<string, Scalar>> } & ReadValues
  readonly effects: FireEffect[]
  readonly transition: string
  /** The outcome of the next computation; undefined before there is one. @throws RefusedFire beyond the most of one */
  readonly next: (path: string) => ComputeOutcome | undefined
}

/** A value that fits its member, with one zero; else the fire is refused. */
const fitting = (value: Json, path: string, declared: Declared | undefined): Scalar => {
  const scalar = typeof value !== 'object' || value === null
  const why = scalar ? unfit(declared ?? {}, value) : 'is no single value'
  if (why !== undefined) return refuse({ reason: 'range', message: `The value ${why}.`, path })
  return typeof value === 'number' ? value + 0 : (value as Scalar)
}

const memberValues = (members: readonly ReadyMember[], values: ReadValues): Record<string, Scalar> => {
  const given: Record<string, Scalar> = {}
  for (const { name, path, declared, value } of members) given[name] = fitting(filled(value, values), path, declared)
  return given
}

/** Members, where an expression could have given something else in place of all of them. */
const membersIn = (value: Json, path: string): Readonly<Record<string, Json>> =>
  isPart(value)
    ? (value as Readonly<Record<string, Json>>)
    : refuse({ reason: 'value', message: 'The value has no members.', path })

const compute = (run: ActionRun, { path, of, inputs, bind }: Extract<ReadyAction, { kind: 'compute' }>): void => {
  const outcome = run.next(path)
  if (outcome === undefined) {
    const given = membersIn(filled(inputs, run.values), `${path}/inputs`)
    throw new WantedResult({ ...of, inputs: given, path, transition: run.transition })
  }
  if ('refused' in outcome) return refuse({ path, ...outcome.refused })
  if ('stubbed' in outcome) return
  const bound: Record<string, Scalar> = {}
  for (const { name, declared } of bind) {
    const at = pointer(`${path}/bind`, name)
    const value = own(outcome.bound, name)
    if (value === undefined) return refuse({ reason: 'value', message: 'The result has no such place.', path: at })
    bound[name] = fitting(value, at, declared)
  }
  run.values.context = { ...run.values.context, ...bound }
}

const TRANSFER_REASON = 'The amount is no whole number from 1.'

const act = (run: ActionRun, it: ReadyAction): void => {
  const { values, effects } = run
  switch (it.kind) {
    case 'set':
      values.context = { ...values.context, ...memberValues(it.members, values) }
      return
    case 'compute':
      return compute(run, it)
    case 'emit':
      effects.push({ kind: 'emit', event: it.event, data: memberValues(it.members, values) })
      return
    case 'transfer': {
      const amount = filled(it.amount, values)
      if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1)
        return refuse({ reason: 'range', message: TRANSFER_REASON, path: `${it.path}/amount` })
      effects.push({ kind: 'transfer', to: it.to, amount })
      return
    }
    case 'notify':
      effects.push({ kind: 'notify', url: it.url, body: filled(it.body, values), headers: it.headers })
      return
    case 'call': {
      const data = membersIn(filled(it.data, values), `${it.path}/data`)
      effects.push({ kind: 'call', contract: it.contract, event: it.event, data })
    }
  }
}

/** Runs a list of actions, in order. @throws RefusedFire, or WantedResult where a computation has no outcome yet */
export const runActions = (run: ActionRun, actions: readonly ReadyAction[]): void => {
  for (const it of actions) act(run, it)
}
