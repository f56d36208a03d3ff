/**
 * States and transitions as they are drawn: read from what a definition may be while it is written, so nothing that is
 * missing or of another form stops it.
 */
export interface ContractModel {
  readonly states: readonly DrawnState[]
  readonly transitions: readonly DrawnTransition[]
}

export interface DrawnState {
  readonly name: string
  readonly initial: boolean
  readonly terminal: boolean
  /** False where a transition names it and the definition does not have it. */
  readonly known: boolean
  /** Its place in the definition, a JSON pointer. */
  readonly path: string
}

export interface DrawnTransition {
  readonly id: string
  readonly from: readonly string[]
  readonly to: string
  /** In words: what sets it off. */
  readonly trigger: string
  readonly guard: string
  readonly path: string
}

/** States and transitions that are looked at: a definition has 64 and 256. */
const STATES_MAX = 64
const TRANSITIONS_MAX = 256
const NAME_CHARS_MAX = 64

type Part = Readonly<Record<string, unknown>>

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {}

const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, NAME_CHARS_MAX) : value === undefined ? '' : '…'

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** A number as it is written, anything else as an ellipsis. */
const numberOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '…')

/** What a trigger waits for, in few words. */
export const triggerWords = (value: unknown): string => {
  const it = partOf(value)
  switch (it['kind']) {
    case 'event': {
      const from = it['from'] === undefined ? '' : ` of ${wordOf(it['from'])}`
      return `event ${wordOf(it['event'])}${from}`
    }
    case 'cron': {
      const zone = it['timezone'] === undefined ? '' : ` ${wordOf(it['timezone'])}`
      return `cron ${wordOf(it['expression'])}${zone}`
    }
    case 'recurring':
      return `every ${numberOf(it['every_ticks'])} ticks`
    case 'after':
      return `after ${numberOf(it['ticks'])} ticks`
    case 'one_shot':
      return it['at_tick'] === undefined
        ? `once at ${numberOf(it['at_unix'])} s`
        : `once at tick ${numberOf(it['at_tick'])}`
    case 'always':
      return 'always'
    default:
      return value === undefined ? 'no trigger' : '…'
  }
}

const stateOf = ([name, value]: readonly [string, unknown]): DrawnState => {
  const { initial, terminal } = partOf(value)
  return { name, initial: initial === true, terminal: terminal === true, known: true, path: `/states/${escaped(name)}` }
}

const sourcesOf = (from: unknown): readonly string[] =>
  [...new Set((Array.isArray(from) ? from.slice(0, STATES_MAX) : [from]).map(wordOf))].filter((it) => it !== '')

const transitionOf = (value: unknown, i: number): DrawnTransition => {
  const it = partOf(value)
  return {
    id: wordOf(it['id']),
    from: sourcesOf(it['from']),
    to: wordOf(it['to']),
    trigger: triggerWords(it['trigger']),
    guard: typeof it['guard'] === 'string' ? it['guard'] : '',
    path: `/transitions/${i}`,
  }
}

/** What can be drawn of a definition, whatever is wrong with it; undefined where it names no state at all. */
export const modelOf = (value: unknown): ContractModel | undefined => {
  const it = partOf(value)
  const states = Object.entries(partOf(it['states']))
    .slice(0, STATES_MAX)
    .map(([name, state]) => stateOf([name.slice(0, NAME_CHARS_MAX), state]))
  const given = it['transitions']
  const transitions = (Array.isArray(given) ? given : []).slice(0, TRANSITIONS_MAX).map(transitionOf)
  const known = new Set(states.map(({ name }) => name))
  const named = transitions.flatMap(({ from, to, path }) => [...from, to].map((name) => ({ name, path })))
  const strange = new Map(named.filter(({ name }) => name !== '' && !known.has(name)).map((at) => [at.name, at]))
  const missing = [...strange.values()]
    .slice(0, STATES_MAX)
    .map(({ name, path }) => ({ ...{ name, path, known: false }, initial: false, terminal: false }))
  const all = [...states, ...missing]
  return all.length === 0 ? undefined : { states: all, transitions }
}
