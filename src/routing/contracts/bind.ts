import type { TemplateParameter } from '#numerics/contracts/templates/parameter.ts'
import { withDigits } from '#routing/counts.ts'
import { unitAt } from '#routing/word-units.ts'
import { placeAmounts, says } from './amounts.ts'
import { type ParameterValue, parameterValue } from './parameter.ts'
import { type ClockTime, scheduleOf, timesOf } from './schedule.ts'
import { type FormSpan, type SpanKind, spansOf } from './spans.ts'

/** A parameter that a sentence says the value of. */
export interface BoundParameter {
  readonly name: string
  readonly value: ParameterValue
  /** What it was read from, as the sentence has it; numbers in words as digits. */
  readonly text: string
  /** Why it is this one: the phrase beside it, or its form. */
  readonly because: string
}

/** What became of a sentence. */
export interface SentenceBinding {
  readonly bound: readonly BoundParameter[]
  /** Amounts, addresses and times that no parameter took. */
  readonly unread: readonly string[]
}

type Entry = readonly [name: string, parameter: TemplateParameter]

/** Characters before a piece among which the phrase that names its parameter stands. */
const REACH_CHARS = 40

const ofType = (entries: readonly Entry[], type: TemplateParameter['type']): readonly Entry[] =>
  entries.filter(([, it]) => it.type === type)

/** The phrase of a parameter that stands before a place, nearest to it. */
const phraseBefore = ({ said = [] }: TemplateParameter, before: string): { phrase: string; at: number } | undefined => {
  const near = ` ${before.slice(-REACH_CHARS).toLowerCase()}`
  const found = said
    .map((phrase) => ({ phrase, at: near.lastIndexOf(` ${phrase}`) }))
    .filter(({ at, phrase }) => at !== -1 && says(near, phrase))
  return found.sort((a, b) => b.at - a.at)[0]
}

/** Gives pieces of one form to parameters of one type: by phrase, else in order, required ones first. */
const assign = <P extends { readonly start: number; readonly text: string }>(
  entries: readonly Entry[],
  pieces: readonly P[],
  sentence: string,
): readonly { readonly entry: Entry; readonly piece: P; readonly because: string }[] => {
  const left = [...entries].sort(([, a], [, b]) => Number(b.required === true) - Number(a.required === true))
  const named = pieces
    .flatMap((piece) =>
      left.map((entry) => ({ piece, entry, found: phraseBefore(entry[1], sentence.slice(0, piece.start)) })),
    )
    .filter(({ found }) => found !== undefined)
    .sort((a, b) => (b.found?.at ?? 0) - (a.found?.at ?? 0))
  const given: { entry: Entry; piece: P; because: string }[] = []
  const isFree = (entry: Entry, piece: P): boolean => !given.some((it) => it.entry === entry || it.piece === piece)
  for (const { piece, entry, found } of named)
    if (isFree(entry, piece)) given.push({ entry, piece, because: found?.phrase ?? '' })
  for (const piece of pieces) {
    const entry = left.find((it) => isFree(it, piece))
    if (entry !== undefined) given.push({ entry, piece, because: 'its form' })
  }
  return given
}

const TYPE_OF: Readonly<Partial<Record<SpanKind, TemplateParameter['type']>>> = {
  url: 'url',
  identity: 'identity',
  zone: 'zone',
}

const spansBound = (entries: readonly Entry[], spans: readonly FormSpan[], sentence: string): SentenceBinding => {
  const kinds = Object.entries(TYPE_OF) as readonly (readonly [SpanKind, TemplateParameter['type']])[]
  const bound = kinds.flatMap(([kind, type]) => {
    const pieces = spans.filter((it) => it.kind === kind)
    return assign(ofType(entries, type), pieces, sentence).map(({ entry, piece, because }): BoundParameter => {
      return { name: entry[0], value: piece.text, text: piece.text, because }
    })
  })
  const contact = spans.find(({ kind }) => kind === 'contact')
  const told = entries.find(([name]) => name === 'contact')
  if (contact !== undefined && told !== undefined)
    bound.push({ name: told[0], value: contact.text, text: contact.text, because: 'its form' })
  const taken = new Set(bound.map(({ text }) => text))
  const unread = spans.filter(({ text, kind }) => kind !== 'quoted' && !taken.has(text)).map(({ text }) => text)
  return { bound, unread }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')

/** What something is called by its noun, with its number where it has one, and the sentence without it. */
const subjectOf = (entries: readonly Entry[], rest: string): { bound: readonly BoundParameter[]; rest: string } => {
  const entry = entries.find(([, { nouns = [] }]) => nouns.length > 0)
  if (entry === undefined) return { bound: [], rest }
  const nouns = [...(entry[1].nouns ?? [])].sort((a, b) => b.length - a.length).map(escaped)
  const form = new RegExp(String.raw`\b(${nouns.join('|')})(\s#?\p{Lu}?-?\d{1,6}\p{Ll}?\b(?![.:]\d))?`, 'giu')
  const all = [...rest.matchAll(form)]
  const numbered = all.find(
    (it) =>
      it[2] !== undefined &&
      unitAt(rest.slice(it.index + it[0].length)) === undefined &&
      !/^\s?%/u.test(rest.slice(it.index + it[0].length)),
  )
  const noun = all.find((it) => !/^\p{L}/u.test(rest.slice(it.index + (it[1]?.length ?? 0))))
  const found = numbered?.[0] ?? noun?.[1]
  if (found === undefined) return { bound: [], rest }
  const bound = [{ name: entry[0], value: found, text: found, because: 'its noun' }]
  return { bound, rest: numbered === undefined ? rest : rest.replace(found, ' '.repeat(found.length)) }
}

const TEXT_END = /[.;!?]|\s(?:via|by|every|each|at|on|until|through)\s|$/iu

/** A text that is said: in quotes, or behind the word that leads to it. */
const textsBound = (entries: readonly Entry[], spans: readonly FormSpan[], rest: string): readonly BoundParameter[] => {
  const entry = entries.find(([name, it]) => it.type === 'text' && name !== 'contact' && it.said !== undefined)
  if (entry === undefined) return []
  const [name, { said = [] }] = entry
  const quoted = spans.find(({ kind }) => kind === 'quoted')
  if (quoted !== undefined) return [{ name, value: quoted.text, text: quoted.text, because: 'its quotes' }]
  for (const phrase of said) {
    const lead = new RegExp(String.raw`\b${escaped(phrase)}\s+(?=\p{L})`, 'iu').exec(rest)
    const behind = lead === null ? '' : rest.slice(lead.index + lead[0].length)
    const value = (behind.split(TEXT_END)[0] ?? '').trim().replace(/\s+/gu, ' ')
    if (value !== '') return [{ name, value, text: value, because: phrase }]
  }
  return []
}

const choicesBound = (entries: readonly Entry[], rest: string): readonly BoundParameter[] =>
  ofType(entries, 'choice').flatMap(([name, { of = [] }]): readonly BoundParameter[] => {
    const value = of.find((it) => says(rest, it))
    return value === undefined ? [] : [{ name, value, text: value, because: 'its name' }]
  })

/** `every minute` is every one minute. */
const EACH_ONE = /\b(every|each) (second|minute|hour)\b/giu
const STEP = /\bevery (?:\d{1,4} )?(?:minute|hour)s?\b/iu

/** Schedules: the one of a template with all that is said of when; of two, each with a time of its own. */
const schedulesBound = (entries: readonly Entry[], times: readonly ClockTime[], rest: string): SentenceBinding => {
  const crons = ofType(entries, 'cron')
  if (crons.length === 0) return { bound: [], unread: times.map(({ text }) => text) }
  const given = assign(crons, times.slice(0, crons.length), rest)
  const bound = crons.flatMap((entry): readonly BoundParameter[] => {
    const own = given.find((it) => it.entry === entry)
    if (crons.length > 1 && own === undefined) return []
    const value = scheduleOf(rest, own?.piece, String(entry[1].default ?? '0 9 * * *'))
    return value === undefined
      ? []
      : [{ name: entry[0], value, text: own?.piece.text.trim() ?? value, because: 'when' }]
  })
  return { bound, unread: times.slice(crons.length).map(({ text }) => text) }
}

const unitsFirst = (entries: readonly Entry[], said: string): readonly BoundParameter[] => {
  const { placed } = placeAmounts(entries, said)
  const bound = placed.map(({ name, value, text, because }): BoundParameter => {
    return { name, value, text, because: because ?? 'its unit' }
  })
  const units = placed.flatMap(({ name, unit, text }): readonly BoundParameter[] => {
    const by = entries.find(([it]) => it === name)?.[1].unit_by
    return by === undefined || unit === undefined ? [] : [{ name: by, value: unit, text, because: 'the unit said' }]
  })
  const once = units.filter((it, i) => units.findIndex(({ name }) => name === it.name) === i)
  return [...bound, ...once]
}

/** Reads the parameters of a template out of a sentence. What does not fit a parameter's own bounds is not taken. */
export const bindSentence = (
  parameters: Readonly<Record<string, TemplateParameter>>,
  sentence: string,
): SentenceBinding => {
  const entries = Object.entries(parameters)
  const { spans, rest: formless } = spansOf(sentence)
  const subject = subjectOf(entries, formless)
  const { times, rest: timeless } = timesOf(subject.rest)
  const { text: digits } = withDigits(timeless.replace(EACH_ONE, '$1 1 $2'))
  const schedules = schedulesBound(entries, times, timeless.length === digits.length ? digits : timeless)
  const stepTaken = schedules.bound.some(({ value }) => String(value).includes('*/') || value === '0 * * * *')
  const plain = stepTaken ? digits.replace(STEP, ' ') : digits
  const formed = spansBound(entries, spans, sentence)
  const amounts = unitsFirst(entries, plain)
  const texts = textsBound(entries, spans, timeless)
  const all = [
    ...amounts,
    ...schedules.bound,
    ...formed.bound,
    ...subject.bound,
    ...choicesBound(entries, timeless),
    ...texts,
  ]
  const bound = all.filter((it, i) => {
    const parameter = parameters[it.name]
    const first = all.findIndex(({ name }) => name === it.name) === i
    return first && parameter !== undefined && 'value' in parameterValue(parameter, it.value)
  })
  return { bound, unread: [...placeAmounts(entries, plain).unread, ...schedules.unread, ...formed.unread] }
}
