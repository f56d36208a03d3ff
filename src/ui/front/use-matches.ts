import { useMemo } from 'preact/hooks'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { remembered } from '#ui/server/remembered.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import {
  nearestSolvers,
  ofLeaf,
  ofMachine,
  ofOperator,
  ofToken,
  type PageMatch,
  rememberedFor,
  slippedSolver,
  solversFor,
} from './match.ts'
import { saidIn } from './said.ts'
import { useSettled } from './use-settled.ts'

/** Time after the last key stroke, so that a word is not looked for letter by letter. */
const SETTLE_MS = 200
/** Matches of each kind. */
const EACH_MAX = 4
/** Public machines that are looked through from where their slugs begin like what was typed. */
const MACHINES_MAX = 20
/** Characters that a search for operators takes. */
const SEARCH_CHARS_MAX = 64

type Operators = readonly PageMatch[]

const operatorsOf = async (q: string, signal: AbortSignal): Promise<Operators> => {
  const { operators } = await call('GET /api/operators/search', { q, limit: EACH_MAX }, { signal })
  return operators.map(ofOperator)
}

/** Letters that the beginning of a word is cut to, one after the other, until some operator has it; at last none. */
const BEGINNINGS = [6, 4, 3, 2, 0]

/** Operators for words; where none has all of them, for the longest word, and then for how it begins. */
const findOperators = async (text: string, signal: AbortSignal): Promise<Operators> => {
  const q = text.slice(0, SEARCH_CHARS_MAX)
  const all = await operatorsOf(q, signal)
  return all.length > 0 ? all : operatorsOf(longestIn(q), signal)
}

const longestIn = (text: string): string => text.split(' ').toSorted((a, b) => b.length - a.length)[0] ?? ''

/** The operator that begins most like the longest word: there is always one. */
export const nearestOperators = async (text: string, signal: AbortSignal): Promise<Operators> => {
  const word = longestIn(text).slice(0, SEARCH_CHARS_MAX)
  for (const letters of BEGINNINGS) {
    if (letters >= word.length) continue
    const found = await operatorsOf(word.slice(0, letters), signal)
    if (found.length > 0) return found.slice(0, 1)
  }
  return []
}

const SLUG = /^[a-z0-9-]{2,64}$/

const findMachines = async (session: PageSession, text: string, signal: AbortSignal): Promise<readonly PageMatch[]> => {
  const slug = text.toLowerCase()
  if (!SLUG.test(slug)) return []
  const before = slug.slice(0, -1).replace(/-+$/, '')
  const [own, open] = await Promise.all([
    session.call('GET /api/chain/state-machines', {}, { signal }),
    call('GET /api/chain/aggregate/list', { limit: MACHINES_MAX, ...(before !== '' && { after: before }) }, { signal }),
  ])
  const all = new Map([...own.machines, ...open.machines].map((it) => [it.slug, it]))
  const fits = ({ slug: at, display_name: name }: { slug: string; display_name: string | null }): boolean =>
    at.includes(slug) || name?.toLowerCase().includes(slug) === true
  return [...all.values()].filter(fits).slice(0, EACH_MAX).map(ofMachine)
}

export interface Matches {
  readonly matches: readonly PageMatch[]
  /** Whether what fits is still looked for. */
  readonly busy: boolean
  /** Whether nothing fits, and the matches are what is nearest. */
  readonly nearest: boolean
}

/** What of the page fits a text: by its form, by the solvers' words, by the node's search. */
export const useMatches = (typed: string, session: PageSession, solvers: Solvers): Matches => {
  const said = useMemo(() => saidIn(typed), [typed])
  const text = said.kind === 'words' ? said.text : ''
  const settled = useSettled(text, SETTLE_MS)
  const { value } = useReading(
    async (signal) => {
      if (settled === '') return { text: settled, operators: [], machines: [], none: false }
      const [operators, machines] = await Promise.all([
        findOperators(settled, signal),
        findMachines(session, settled, signal).catch(() => []),
      ])
      const none = operators.length + machines.length + solversFor(solvers, settled, 1).length === 0
      return { text: settled, operators: none ? await nearestOperators(settled, signal) : operators, machines, none }
    },
    { on: [session, settled] },
  )
  return useMemo(() => {
    if (said.kind === 'token') return { matches: [ofToken(said.token)], busy: false, nearest: false }
    if (said.kind === 'leaf') return { matches: [ofLeaf(said.hash)], busy: false, nearest: false }
    if (text === '') return { matches: [], busy: false, nearest: false }
    const near = solversFor(solvers, text, EACH_MAX)
    const far = value?.text === text ? [...value.operators, ...value.machines] : []
    const own = rememberedFor(remembered(session.node), text, EACH_MAX)
    const matches = [...near, ...far, ...own]
    const busy = value?.text !== text
    if (busy || value?.none !== true || own.length > 0) {
      // Relations are found by the beginnings of words: what else was meant stands after them.
      const slipped = near.length === 0 ? slippedSolver(solvers, text) : []
      return { matches: [...matches, ...slipped], busy, nearest: false }
    }
    return { matches: [...nearestSolvers(solvers, text, 1), ...matches], busy, nearest: true }
  }, [said, text, value, solvers, session])
}
