import type { InputAt } from '#api/result-of.ts'

const OPERATORS_MAX = 3
/** Mesh ticks between two due ones, at most, and at first: about a minute. */
const INTERVAL_MAX = 1_000_000
export const INTERVAL_FIRST = '77'
export const INTERVAL_WORDS = `1 to ${INTERVAL_MAX.toLocaleString('en')} mesh ticks.`

export const kinds = ['operators', 'solver'] as const
export const modes = ['fresh', 'continue'] as const
export const bounds = ['stop', 'restart'] as const

/** What is typed of a stream. */
export interface StreamTerms {
  readonly kind: (typeof kinds)[number]
  readonly names: string
  readonly inputs: string
  readonly mode: (typeof modes)[number]
  readonly onBound: (typeof bounds)[number]
  readonly autotick: boolean
  readonly interval: string
  readonly slug: string
  /** Id of a contract of that machine. */
  readonly contract: string
  readonly oracles: string
}

export const FIRST_TERMS: StreamTerms = {
  ...{ kind: 'operators', names: 'GR37', inputs: '{ "mass": { "$": "1e30 + 1e27 * count" } }' },
  ...{ mode: 'fresh', onBound: 'stop', autotick: false, interval: INTERVAL_FIRST },
  ...{ slug: '', contract: '', oracles: '' },
}

/** The order of a stream. */
export type StreamOrder = InputAt<'POST /api/svc/stream/channels'>

/** Whether a text is an interval that a stream may have. */
export const isInterval = (text: string): boolean =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= INTERVAL_MAX

const namesIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((it) => it !== '')

/** The object that a JSON text is; an empty one for none. */
const objectIn = (text: string): StreamOrder['inputs'] | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as StreamOrder['inputs']) : undefined
  } catch {
    return undefined
  }
}

/** What is computed, or what is wrong with it. */
const computedIn = ({ kind, names }: StreamTerms): Pick<StreamOrder, 'solver' | 'operators'> | string => {
  const ids = namesIn(names)
  if (kind === 'solver') return ids.length === 1 ? { solver: ids[0] } : 'One solver.'
  return ids.length === 0 || ids.length > OPERATORS_MAX ? `1 to ${OPERATORS_MAX} operators.` : { operators: [...ids] }
}

/** The order that the terms come to, or what is wrong with them. */
export const orderOf = (terms: StreamTerms): StreamOrder | string => {
  const { mode, onBound, autotick, interval, slug, contract } = terms
  const [computed, inputs, oracles] = [computedIn(terms), objectIn(terms.inputs), objectIn(terms.oracles)]
  if (typeof computed === 'string') return computed
  if (inputs === undefined) return 'The inputs are no JSON object.'
  if (oracles === undefined) return 'The oracles are no JSON object.'
  if (autotick && !isInterval(interval)) return INTERVAL_WORDS
  return {
    ...computed,
    ...{ inputs, mode, onBound },
    ...(slug !== '' && { slug }),
    ...(contract !== '' && { contract }),
    ...(Object.keys(oracles).length > 0 && { oracles }),
    ...(autotick && { autotick, tickIntervalTicks: Number(interval) }),
  }
}
