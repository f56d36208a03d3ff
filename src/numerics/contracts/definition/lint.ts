import { utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { earlierShape } from './earlier.ts'
import { inspectCondition } from './expressions.ts'
import { type ContractFault, faultSheet, heard, type Sheet } from './faults.ts'
import { isPart, itemsOf, type JsonPart, own, piece } from './pieces.ts'
import { BYTES_MAX, CLAIMS_MAX, claim, type Definition, frame } from './schema.ts'
import { type Declarations, declarationsOf, standingScope } from './sources.ts'
import { statesOf, transitionsOf } from './transitions.ts'
import type { CronCheck } from './triggers.ts'

/** What the linter says of a definition: all its faults, or, where there are none, what it means. */
export interface Linted {
  /** Whether it came in the earlier shape; paths then point into what became of it. */
  readonly earlier: boolean
  readonly faults: readonly ContractFault[]
  readonly contract?: {
    /** With every default in its place. */
    readonly definition: Definition
    /** Digest of that: what names this version everywhere. */
    readonly version: string
  }
}

/** What the linter asks of others. */
export interface LintOptions {
  readonly cron: CronCheck
}

/** A copy with the one byte form: undefined after a complaint. */
const plain = (sheet: Sheet, value: unknown): Json | undefined => {
  const text = heard(sheet, '', () => canonical(value as Json))
  if (text === undefined) return undefined
  const bytes = utf8(text).length
  if (bytes > BYTES_MAX) sheet.add('', `has ${bytes} bytes in its canonical form; ${BYTES_MAX} are the most`)
  return bytes > BYTES_MAX ? undefined : (JSON.parse(text) as Json)
}

/** What a window gives before any event. */
const emptyWindow = (fn: string | undefined): number | null => (fn === 'count' || fn === 'sum' ? 0 : null)

/** What expressions read at the start. */
const startOf = ({ context, windows }: Declarations, state: string | undefined) => ({
  context: Object.fromEntries([...context].map(([name, { it }]) => [name, it.initial ?? null])),
  window: Object.fromEntries([...windows].map(([name, { it }]) => [name, emptyWindow(it.fn)])),
  state,
  state_ticks: 0,
})

type Standing = ReturnType<typeof standingScope>

const claimsOf = (
  sheet: Sheet,
  top: JsonPart,
  { scope, start }: { scope: Standing; start: ReturnType<typeof startOf> },
) =>
  itemsOf(own(top, 'claims'), { most: CLAIMS_MAX, path: '/claims' }).map((at) => {
    const it = piece(sheet, claim, at)
    const path = `${at.path}/never`
    const sound = it.never === undefined ? undefined : inspectCondition(sheet, { text: it.never, path }, scope)
    if (sound?.run(start) === true) sheet.add(path, 'this holds at the start already', 0)
    return it
  })

/** The values of some sources, by name. */
const declared = (sources: ReadonlyMap<string, { readonly it: unknown }>) =>
  Object.fromEntries([...sources].map(([name, { it }]) => [name, it]))

const read = (sheet: Sheet, value: JsonPart, { cron }: LintOptions): Definition => {
  const { v, name, timezone = 'UTC', budget, retry } = piece(sheet, frame, { value, path: '' })
  const declarations = declarationsOf(sheet, value)
  const { context, events, windows, oracles } = declarations
  const names = Object.keys(isPart(own(value, 'states')) ? (own(value, 'states') as JsonPart) : {})
  const standing = standingScope(declarations, names)
  const clockwork = { events, timezone, cron, declarations, standing }
  const states = statesOf(sheet, value, clockwork)
  const transitions = transitionsOf(sheet, value, { ...clockwork, states })
  const [initial] = [...states].find(([, it]) => it.initial === true) ?? []
  const claims = claimsOf(sheet, value, { scope: standing, start: startOf(declarations, initial) })
  const data = [...events].map(([event, members]) => [event, { data: declared(members) }])
  return {
    ...{ v, name, timezone, budget, retry, states: Object.fromEntries(states), transitions, claims },
    ...{
      context: declared(context),
      events: Object.fromEntries(data),
      windows: declared(windows),
      oracles: declared(oracles),
    },
  } as unknown as Definition
}

/**
 * Looks at a definition, or at one of the earlier shape, and finds everything that is wrong with it at once.
 *
 * @param given what JSON may be.
 */
export const lintContract = (given: unknown, options: LintOptions): Linted => {
  const sheet = faultSheet()
  const value = plain(sheet, given)
  if (value === undefined) return { earlier: false, faults: sheet.faults }
  if (!isPart(value)) return { earlier: false, faults: [{ path: '', reason: 'must be an object' }] }
  const former = earlierShape(value)
  const definition = read(sheet, former ?? value, options)
  const { faults } = sheet
  const earlier = former !== undefined
  if (faults.length > 0) return { earlier, faults }
  const version = digest(purposes.contract, definition as unknown as Json)
  return { earlier, faults, contract: { definition, version } }
}
