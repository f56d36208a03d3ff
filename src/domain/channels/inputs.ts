import { canonicalBytes, type Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import { pointer } from '#core/input.ts'
import { soundExpression } from '#numerics/contracts/definition/expressions.ts'
import { faultSheet, type Sheet } from '#numerics/contracts/definition/faults.ts'
import { isPart } from '#numerics/contracts/definition/pieces.ts'
import type { Oracle } from '#numerics/contracts/definition/schema.ts'
import { declarationsOf } from '#numerics/contracts/definition/sources.ts'
import { RefusedFire } from '#numerics/contracts/fire/effects.ts'
import { type Filling, filled, readyValue } from '#numerics/contracts/fire/programs.ts'
import { type NameScope, NUMBER, scopeOf, type Type } from '#numerics/contracts/language/types.ts'
import type { ChannelHead } from '#store/rows/channel.ts'
import { INPUT_BYTES_MAX } from './types.ts'

/** Inputs of a channel, read once: expressions in them are worked out anew for every tick. */
export interface ChannelProgram {
  /** Whether every tick has the same inputs. */
  readonly constant: boolean
  readonly oracles: Readonly<Record<string, Oracle>>
  /** The inputs of a tick. @throws Fault INVALID_INPUT for an expression without a value */
  inputs(of: ChannelReadings): Readonly<Record<string, Json>>
}

/** What expressions read. */
export interface ChannelReadings {
  /** Mesh tick in which the inputs are worked out. */
  readonly tick: number
  /** The count that the tick will have in its epoch. */
  readonly count: number
  readonly head: ChannelHead | null
  readonly oracle: Readonly<Record<string, Scalar>>
}

const TEXT: Type = { kind: 'text' }
const headScope = scopeOf([
  ...(['epoch', 'count', 'tick', 'mesh_tick', 'errorPct', 'errorSum'] as const).map((it) => [it, NUMBER] as const),
  ['value', { kind: 'number', nullable: true }],
  ...(['unit', 'state', 'token_id'] as const).map((it) => [it, TEXT] as const),
])

const faulty = ({ faults }: Sheet): Fault => {
  const errors = faults.map(({ path, reason, position }) => ({
    path,
    message: position === undefined ? reason : `${reason} (character ${position})`,
  }))
  return new Fault('INVALID_INPUT', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
}

const oraclesOf = (sheet: Sheet, oracles: Readonly<Record<string, Json>>) => {
  const { oracles: found } = declarationsOf(sheet, { oracles })
  for (const name of Object.keys(oracles)) {
    if (!found.has(name)) sheet.add(pointer('/oracles', name), 'is no name of an oracle')
  }
  for (const [name, { it }] of found) {
    if (it.from?.kind === 'url') {
      sheet.add(
        `${pointer('/oracles', name)}/from/kind`,
        'a channel reads contracts and machines; let a contract read the address',
      )
    }
  }
  return found
}

/** Every expression of a value with its path. */
const expressionsIn = (value: Json, path: string): readonly { readonly text: string; readonly path: string }[] => {
  if (Array.isArray(value)) return value.flatMap((it: Json, i) => expressionsIn(it, `${path}/${i}`))
  if (!isPart(value)) return []
  const { $: text } = value as { readonly $?: unknown }
  if (typeof text === 'string' && Object.keys(value).length === 1) return [{ text, path: `${path}/$` }]
  return Object.entries(value).flatMap(([name, it]) => expressionsIn(it as Json, pointer(path, name)))
}

/** Reads inputs and oracles of a channel. @throws Fault INVALID_INPUT with all that is wrong */
export const channelProgram = (
  inputs: Readonly<Record<string, Json>>,
  oracles: Readonly<Record<string, Json>>,
): ChannelProgram => {
  const bytes = canonicalBytes({ inputs, oracles }).length
  if (bytes > INPUT_BYTES_MAX) {
    const message = `has ${bytes} bytes in canonical form, and ${INPUT_BYTES_MAX} are the most`
    throw new Fault('INVALID_INPUT', `/inputs ${message}`, { errors: [{ path: '/inputs', message }] })
  }
  const sheet = faultSheet()
  const declared = oraclesOf(sheet, oracles)
  const types: readonly (readonly [string, Type | NameScope])[] = [...declared].map(([name, { type }]) => [name, type])
  const scope = scopeOf([
    ['tick', NUMBER],
    ['count', NUMBER],
    ['head', headScope],
    ['oracle', scopeOf(types)],
  ])
  const written = expressionsIn(inputs, '/inputs')
  for (const it of written) soundExpression(sheet, it, scope)
  if (sheet.faults.length > 0) throw faulty(sheet)
  const filling: Filling = readyValue(inputs, '/inputs')
  return {
    constant: written.length === 0,
    oracles: Object.fromEntries([...declared].map(([name, { it }]) => [name, it as Oracle])),
    inputs: ({ tick, count, head, oracle }) => {
      try {
        return filled(filling, { tick, count, head: seenHead(head), oracle }) as Readonly<Record<string, Json>>
      } catch (thrown) {
        if (!(thrown instanceof RefusedFire)) throw thrown
        const { path = '/inputs', message } = thrown.problem
        throw new Fault('INVALID_INPUT', `${path}: ${message}`, { errors: [{ path, message }] })
      }
    },
  }
}

/** The head as expressions see it; before the first tick it has no members. */
const seenHead = (head: ChannelHead | null): Readonly<Record<string, number | string | null>> => {
  if (head === null) return {}
  const { epoch, count, tick, mesh_tick, value, unit, state, token_id } = head
  return {
    epoch,
    count,
    tick,
    mesh_tick,
    value,
    unit,
    state,
    token_id,
    errorPct: head.error_pct,
    errorSum: head.error_sum,
  }
}
