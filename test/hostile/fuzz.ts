import assert from 'node:assert/strict'
import { fromUtf8, toHex, utf8 } from '#core/bytes.ts'
import { Fault, faults } from '#core/fault.ts'
import { bytesHeld } from '../kit/heap.ts'
import { type Random, seed, seeded } from '../kit/random.ts'
import './found-good.ts'

/** What reads bytes or text from outside, and how it is known to have read them right. */
export interface Decoder {
  readonly name: string
  /** What it must accept. */
  readonly corpus: readonly Uint8Array[]
  /** Pieces that mean something to it. */
  readonly words?: readonly string[]
  /** A mutant that is whole in form, where the bytes alone would be refused at the door. */
  readonly shaped?: (random: Random) => Uint8Array
  /** One of so many inputs is shaped; 8 unless said. */
  readonly shapedEvery?: number
  /** The longest input that it is given. */
  readonly bytesMax?: number
  /**
   * Reads an input and judges what it read, with an assertion that fails where that is not what the bytes say.
   *
   * @returns whether it was accepted; a refusal may be a Fault as well.
   */
  decode(input: Uint8Array): boolean
}

/** How many inputs each decoder gets in place of the usual number, for a run of hours. */
const given = process.env['TICKMESH_FUZZ_INPUTS']
/** Inputs of each decoder. */
export const INPUTS = Number(given ?? 100_000)
/** Inputs of each decoder of a family of which most cost signatures. */
export const INPUTS_DEAR = Number(given ?? 20_000)
/** Milliseconds that all inputs of one decoder have. */
export const FUZZ_MS = Math.max(110_000, 2 * INPUTS)

const RANDOM_EVERY = 20
const CORPUS_EVERY = 100
const SHAPED_EVERY = 8
const LONG_EVERY = 2_000
const LOOK_EVERY = 10_000
const RANDOM_BYTES_MAX = 160
const LONG_BYTES_MAX = 65_536
const OPERATIONS_MAX = 3
/** What one decoder may leave in memory, whatever it was given. */
const HEAP_GROWTH_BYTES_MAX = 16_777_216

const plainWords = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\n\n',
  ' ',
  '0',
  '-',
  '9007199254740993',
  '\u0000',
  'é',
  '\\u0000',
]
const hostileWords = ['__proto__', 'constructor', '1e400', '\ud83d\ude00', '%', '+', '=', '/', '\r', '\ufeff', '—']

const cut = (bytes: Uint8Array, from: number, to: number, between: Uint8Array = new Uint8Array()): Uint8Array => {
  const made = new Uint8Array(from + between.length + bytes.length - to)
  made.set(bytes.subarray(0, from))
  made.set(between, from)
  made.set(bytes.subarray(to), from + between.length)
  return made
}

/** One change: a bit, a byte, a piece taken out, put in twice or from elsewhere; a word of the form; the end cut. */
const changed = (bytes: Uint8Array, random: Random, { corpus, words }: Stock): Uint8Array => {
  const at = random.integer(0, bytes.length)
  const end = Math.min(bytes.length, at + random.integer(1, 12))
  switch (random.integer(0, 8)) {
    case 0:
      return bytes.length === 0
        ? bytes
        : bytes.with(at % bytes.length, bytes[at % bytes.length]! ^ (1 << random.integer(0, 7)))
    case 1:
      return bytes.length === 0 ? bytes : bytes.with(at % bytes.length, random.integer(0, 255))
    case 2:
      return cut(bytes, at, end)
    case 3:
      return cut(bytes, end, end, bytes.subarray(at, end))
    case 4:
      return cut(bytes, at, at, random.pick(words))
    case 5:
      return cut(bytes, at, end, random.pick(words))
    case 6: {
      const other = random.pick(corpus)
      const from = random.integer(0, other.length)
      return cut(bytes, at, end, other.subarray(from, from + random.integer(0, 40)))
    }
    case 7:
      return random.integer(0, 3) === 0 ? bytes.subarray(0, at) : cut(bytes, at, at + Math.min(1, bytes.length - at))
    default:
      // A digit or a letter becomes its neighbour: what is nearest to good.
      return bytes.length === 0 ? bytes : bytes.with(at % bytes.length, (bytes[at % bytes.length]! + 1) & 0x7f)
  }
}

interface Stock {
  readonly corpus: readonly Uint8Array[]
  readonly words: readonly Uint8Array[]
}

/** A piece of the form, over and over: what a reader that looks back for each step would never get through. */
const long = (word: Uint8Array, bytesMax: number): Uint8Array => {
  const made = new Uint8Array(Math.min(bytesMax, LONG_BYTES_MAX))
  if (word.length === 0) return made
  for (let at = 0; at < made.length; at += word.length) made.set(word.subarray(0, made.length - at), at)
  return made
}

const inputFor = (
  i: number,
  random: Random,
  stock: Stock & Pick<Decoder, 'shaped' | 'shapedEvery' | 'bytesMax'>,
): Uint8Array => {
  const { corpus, shaped, shapedEvery = SHAPED_EVERY, bytesMax = LONG_BYTES_MAX } = stock
  if (i % CORPUS_EVERY === 0) return corpus[(i / CORPUS_EVERY) % corpus.length]!
  if (i % LONG_EVERY === 1) return long(random.pick(stock.words), bytesMax)
  if (i % RANDOM_EVERY === 2) return random.bytes(random.integer(0, RANDOM_BYTES_MAX))
  if (shaped !== undefined && i % shapedEvery === 3) return shaped(random)
  let bytes = random.pick(corpus)
  for (let n = random.integer(1, OPERATIONS_MAX); n > 0; n--) bytes = changed(bytes, random, stock)
  return bytes.length > bytesMax ? bytes.subarray(0, bytesMax) : bytes
}

/** What a program may find changed in objects that it did not touch. */
const prototypes = (): string =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype]
    .map((it) => Reflect.ownKeys(it).map(String).join())
    .join(';')

const shown = (input: Uint8Array): string => {
  const text = input.length > 2_000 ? `${toHex(input.subarray(0, 2_000))}…` : toHex(input)
  return `${input.length} bytes, seed ${seed}: ${text}`
}

/** What became of a decoder's inputs. */
export interface Tally {
  readonly inputs: number
  readonly accepted: number
  readonly refused: ReadonlyMap<string, number>
}

/** The stack of a refusal, which nobody reads, costs a multiple of what most decoders do. */
const withoutStacks = <T>(work: () => T): T => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

const outcomeOf = (decoder: Decoder, input: Uint8Array): string => {
  try {
    return withoutStacks(() => decoder.decode(input)) ? 'accepted' : 'refused'
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code in faults) return thrown.code
    throw new Error(`${decoder.name} dies of ${shown(input)}`, { cause: causeOf(decoder, input) ?? thrown })
  }
}

/** What a decoder dies of, with its stack. */
const causeOf = (decoder: Decoder, input: Uint8Array): unknown => {
  try {
    decoder.decode(input)
    return undefined
  } catch (thrown) {
    return thrown
  }
}

/** Gives a decoder its inputs, the same for the same seed. @throws Error naming the input that broke it. */
export const fuzz = (decoder: Decoder, inputs: number = INPUTS): Tally => {
  const random = seeded()
  const words = [...plainWords, ...hostileWords, ...(decoder.words ?? [])].map((it) => utf8(it))
  const stock = { ...decoder, words }
  const before = prototypes()
  const heap = bytesHeld()
  const refused = new Map<string, number>()
  let accepted = 0
  for (let i = 0; i < inputs; i++) {
    const input = inputFor(i, random, stock)
    const outcome = outcomeOf(decoder, input)
    if (outcome === 'accepted') accepted += 1
    else refused.set(outcome, (refused.get(outcome) ?? 0) + 1)
    if (i % CORPUS_EVERY === 0) assert.equal(outcome, 'accepted', `${decoder.name} refuses ${shown(input)}`)
    if (i % LOOK_EVERY === 0) assert.equal(prototypes(), before, `${decoder.name} changed a prototype`)
  }
  assert.equal(prototypes(), before, `${decoder.name} changed a prototype`)
  const grown = bytesHeld() - heap
  assert(grown < HEAP_GROWTH_BYTES_MAX, `${decoder.name} keeps ${grown} bytes`)
  return { inputs, accepted, refused }
}

/** The line that says what a run saw. */
export const lineOf = (name: string, { inputs, accepted, refused }: Tally): string =>
  `${name}: ${inputs} inputs, ${accepted} accepted, ${[...refused].map(([code, n]) => `${n} ${code}`).join(', ')}`

/** The text of an input; undefined for bytes that are no text, which a decoder of text is never given. */
export const textOf = (input: Uint8Array): string | undefined => {
  try {
    return fromUtf8(input)
  } catch {
    return undefined
  }
}
