import type { Invocation } from './command.ts'
import { exits } from './exit.ts'
import { readBounded, STDIN } from './files.ts'
import { CliError, usageError } from './problem.ts'

type Input = { [name: string]: unknown }

/** Bytes of an input file; the node takes no larger body. */
const INPUT_BYTES_MAX = 67_108_864
/** Names below names of one input, e.g. `initial.kind`. */
const DEPTH_MAX = 8
/** Decimal numbers as people write them, JSON or not: `.5`, `+3`, `1.`. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as it is written: a number, JSON where it parses, else text. @throws CliError for one beyond the doubles */
export const readValue = (name: string, text: string): unknown => {
  if (DECIMAL.test(text)) {
    const number = Number(text)
    if (Number.isFinite(number)) return number
    throw usageError(`the input ${name} is beyond the range of numbers: ${text}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sets a value under its names; own members alone count, whatever they are called. */
const put = (into: Input, [name = '', ...rest]: readonly string[], value: unknown): void => {
  const old = Object.hasOwn(into, name) ? into[name] : undefined
  let next = value
  if (rest.length > 0) {
    next = isInput(old) ? old : {}
    put(next as Input, rest, value)
  }
  Object.defineProperty(into, name, { value: next, enumerable: true, configurable: true, writable: true })
}

/** How `name=value` words are read. */
export interface AssignmentRules {
  /** Whether `initial.kind=box` sets a member of a member. Operators have dots in the names of their inputs. */
  readonly nested: boolean
  /** What the words change; nothing when left out. */
  readonly base?: Input
}

/** What two words are as one, where they look as if they were meant so. */
const apart = (name: string, value: string | undefined): string =>
  value !== undefined && /^[A-Za-z][\w.]*$/.test(name) && !value.includes('=') ? `; write: ${name}=${value}` : ''

/**
 * `name=value` words as one input: numbers, booleans and JSON where they parse, text otherwise.
 *
 * @throws CliError for a word that is none, a name given twice, a number beyond doubles.
 */
export const parseAssignments = (words: readonly string[], { nested, base = {} }: AssignmentRules): Input => {
  const input = structuredClone(base)
  const seen = new Set<string>()
  for (const [i, word] of words.entries()) {
    const at = word.indexOf('=')
    if (at < 1) throw usageError(`an input is name=value; got "${word}"${apart(word, words[i + 1])}`)
    const name = word.slice(0, at)
    if (seen.has(name)) throw usageError(`the input ${name} is given twice`)
    seen.add(name)
    const names = nested ? name.split('.') : [name]
    if (names.length > DEPTH_MAX || names.includes('')) throw usageError(`"${name}" is no name of an input`)
    put(input, names, readValue(name, word.slice(at + 1)))
  }
  return input
}

const readWhole = async (file: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> => {
  const bytes = await readBounded(file, bytesMax, signal)
  if (bytes !== undefined) return bytes
  throw new CliError(exits.failure, `${file} is larger than ${bytesMax} bytes`, { code: 'INPUT_TOO_LARGE' })
}

const readFile = async (file: string, signal: AbortSignal): Promise<Input> => {
  const bytes = await readWhole(file, INPUT_BYTES_MAX, signal)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    value = undefined
  }
  if (isInput(value)) return value
  throw usageError(`${file} does not hold a JSON object`)
}

/** Bytes of a file with a secret. */
const SECRET_BYTES_MAX = 4_096

/** The file that `@file` names, or `-` for stdin. @throws CliError for anything else. */
const named = (given: string, what: string): string => {
  if (given === STDIN) return given
  if (given.startsWith('@') && given.length > 1) return given.slice(1)
  throw usageError(`${what} takes @file, or - for stdin; got "${given}"`)
}

/** The JSON object in the file that `@file` or `-` names. @throws CliError when there is none. */
export const readJsonFile = (given: string, signal: AbortSignal): Promise<Input> =>
  readFile(named(given, '--data'), signal)

/** A text as it stands, or that of the file that `@file` or `-` names. @throws CliError, or the system's error. */
export const readSource = async (given: string, signal: AbortSignal): Promise<string> => {
  if (given !== STDIN && !given.startsWith('@')) return given
  return new TextDecoder().decode(await readWhole(named(given, 'an input'), INPUT_BYTES_MAX, signal))
}

/** A secret from a file or stdin, without the end of its line. @throws CliError for an empty one. */
export const readSecret = async (file: string, signal: AbortSignal): Promise<string> => {
  const text = new TextDecoder().decode(await readWhole(file, SECRET_BYTES_MAX, signal)).trim()
  if (text === '') throw usageError(`${file} holds no secret`)
  return text
}

/** Inputs of `--input-file` (`-` is stdin), with those of the command line on top. */
export const readInput = async (
  { options: { inputFile }, signal }: Invocation,
  words: readonly string[],
  { nested }: { readonly nested: boolean },
): Promise<Input> => {
  if (typeof inputFile !== 'string') return parseAssignments(words, { nested })
  return parseAssignments(words, { nested, base: await readFile(inputFile, signal) })
}

/** A whole number of an option, or what holds when it is left out. @throws CliError for anything else. */
export const wholeOption = (value: string | boolean | undefined, name: string): number | undefined => {
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  throw usageError(`${name} takes a whole number; got "${value}"`)
}
