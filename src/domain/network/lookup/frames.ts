import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { LEVELS_MAX } from '#core/merkle.ts'
import { NOTE_BYTES_MAX } from '#domain/network/sync/limits.ts'
import { type LookupName, lookupKinds } from '#store/rows/indexed.ts'

export type { LookupName }

/** Events of one answer, and bytes of all of it. */
export const FOUND_MAX = 64
export const ANSWER_BYTES_MAX = 1_048_576
/** Bytes of a question: a word and a name. */
export const QUESTION_BYTES_MAX = 256

/** An event that was found, with the way from its leaf to the root that its source signed. */
export interface FoundEvent {
  readonly origin: string
  readonly index: number
  /** The whole event, as canonical JSON says it; nothing of it is checked here. */
  readonly event: Json
  /** Inclusion path in the tree of the note of this origin, bottom up, hex. */
  readonly path: readonly string[]
}

/** What somebody knows about a name. */
export interface FoundEvents {
  readonly events: readonly FoundEvent[]
  /** Origin → the note of its source under which its events are shown. */
  readonly notes: Readonly<Record<string, string>>
}

const hex = new RegExp(patterns.hex64 ?? '^[0-9a-f]{64}$')
const nodeForm = new RegExp(patterns.nodeId)
const eventsLog = new RegExp(patterns.eventsLogName)

/** Whether a name has the form of its kind. */
export const isName = ({ kind, name }: LookupName): boolean => (kind === 'node' ? nodeForm : hex).test(name)

const parsed = (frame: Uint8Array): Readonly<Record<string, Json>> | undefined => {
  try {
    const value = parseCanonical(frame)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, Json>>) : undefined
  } catch {
    return undefined
  }
}

/** The bytes of a question: `{kind: name}`. */
export const questionFrame = ({ kind, name }: LookupName): Uint8Array => canonicalBytes({ [kind]: name })

/** Reads a question; undefined for anything that is not exactly one. */
export const readQuestion = (frame: Uint8Array): LookupName | undefined => {
  const [[kind, name] = [], ...others] = Object.entries(parsed(frame) ?? {})
  const known = lookupKinds.find((it) => it === kind)
  if (known === undefined || typeof name !== 'string' || others.length > 0) return undefined
  return isName({ kind: known, name }) ? { kind: known, name } : undefined
}

const isIndex = (it: Json | undefined): it is number => Number.isSafeInteger(it) && (it as number) >= 0
const isPath = (it: Json | undefined): boolean =>
  Array.isArray(it) && it.length <= LEVELS_MAX && it.every((hash) => typeof hash === 'string' && hex.test(hash))

const foundIn = (it: Json): FoundEvent | undefined => {
  if (!Array.isArray(it) || it.length !== 4) return undefined
  const [origin, index, event, path] = it
  const fits = typeof origin === 'string' && eventsLog.test(origin) && isIndex(index) && isPath(path)
  if (!fits || typeof event !== 'object' || event === null || Array.isArray(event)) return undefined
  return { origin, index, event, path: path as readonly string[] }
}

/** The bytes of an answer: `{events: [[origin, index, event, path]], notes: {origin: note}}`. */
export const answerFrame = ({ events, notes }: FoundEvents): Uint8Array =>
  canonicalBytes({
    events: events.map(({ origin, index, event, path }) => [origin, index, event, path]),
    notes,
  } as unknown as Json)

/** Reads an answer; undefined for anything that is not exactly one: each event has its note, and each note an event. */
export const readAnswer = (frame: Uint8Array): FoundEvents | undefined => {
  const value = parsed(frame)
  if (value === undefined || Object.keys(value).join() !== 'events,notes') return undefined
  const { events, notes } = value
  if (!Array.isArray(events) || events.length > FOUND_MAX) return undefined
  if (typeof notes !== 'object' || notes === null || Array.isArray(notes)) return undefined
  const found = events.flatMap((it) => foundIn(it) ?? [])
  const signed = Object.entries(notes as Readonly<Record<string, Json>>)
  const isNote = ([origin, note]: readonly [string, Json]): boolean =>
    typeof note === 'string' && note.length <= NOTE_BYTES_MAX && note.startsWith(`${origin}\n`)
  const origins = [...new Set(found.map(({ origin }) => origin))]
  const fits = found.length === events.length && signed.length === origins.length && signed.every(isNote)
  if (!fits || !origins.every((origin) => Object.hasOwn(notes, origin))) return undefined
  return { events: found, notes: notes as Readonly<Record<string, string>> }
}
