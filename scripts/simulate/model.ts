import { createHash } from 'node:crypto'
import { canonical, type Json } from '#core/canonical.ts'
import type { ChallengeOfWork } from '#core/dispute/challenge.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { type DisputesStanding, foldDisputes } from '#core/dispute/fold.ts'
import { type Rules, trustRules } from '#core/dispute/rules.ts'
import type { DisputedWork, DisputeEvent, EventOf } from '#core/dispute/types.ts'
import { lockedBy, notWithheld } from '#core/dispute/withhold.ts'
import { unlocksAt } from '#core/work/exposure.ts'
import type { Invariant } from './judge.ts'

/**
 * A small world whole: a requester that challenges what is wrong, a worker that cheats or does not, its accomplice that
 * shields and rules for it, and a home. Worker and accomplice know everything at once and may say anything at any time;
 * requester and home learn of each event when the network lets them, in every order. All orders are gone through,
 * states that were met before once, and the five invariants are held in each.
 */
const hash = (word: string): string => createHash('sha256').update(word).digest('hex')

const T0 = 1_000
/** What time does: a reveal is over, or a window. */
const PASSES = { short: 121, long: 1_600 }
const PASSES_MAX = 2

const NAMES = ['true', 'shield', 'w true', 'w shield', 'c true', 'ruling home', 'ruling accomplice', 'release'] as const
type Name = (typeof NAMES)[number]
const OBSERVERS = ['requester', 'home'] as const
type Observer = (typeof OBSERVERS)[number]

/** What each of them acts upon: the requester waits for the worker's value and for nothing else. */
const ASKED_OF: Readonly<Record<Observer, readonly Name[]>> = { requester: ['w true'], home: NAMES }

/** A state of the model. Times are part of it, the order in which somebody learnt of things is not. */
interface State {
  readonly tick: number
  readonly passed: number
  /** When each event happened, and for the worker's values which of its chain they are. */
  readonly happened: Readonly<Partial<Record<Name, { readonly at: number; readonly n: number }>>>
  readonly knows: Readonly<Record<Observer, readonly Name[]>>
  /** What the home has found itself. */
  readonly checked: readonly ('true' | 'shield')[]
  readonly withheld: boolean
  readonly unlocked: boolean
}

const OFFER = hash('offer')
const wValue = (n: number): string => hash(`w ${n}`)
const wCommitment = (n: number): string => commitmentTo({ of: 'w', about: OFFER, value: wValue(n) })
const author = { true: 'requester', shield: 'accomplice' } as const

const work: DisputedWork = {
  ...{ event: hash('work event'), index: 0, requester: 'requester', worker: 'worker', work: hash('work') },
  when: { at: T0, mark: null },
  terms: {
    ...{ offer: OFFER, pool: ['accomplice', 'home', 'x', 'y'], atRisk: true, bond: hash('bond'), homes: ['home'] },
    ...{ w: wCommitment(0), k: 8, workUnits: 1_000 },
  },
}

const challengeOf = (which: 'true' | 'shield'): ChallengeOfWork => ({
  ...{
    kind: 'wrong',
    inputs: hash('inputs'),
    segment: which === 'true' ? 3 : 5,
    own: hash(which),
    before: null,
    after: null,
  },
  place: { event: work.event, index: 0, worker: work.worker, work: work.work, path: [] },
  commitment: commitmentTo({ of: 'c', about: work.work, value: hash(`c ${which}`) }),
  follows: null,
})

const eventOf = (
  name: Name,
  { at, n }: { readonly at: number; readonly n: number },
  state: State,
): DisputeEvent | undefined => {
  const common = { id: hash(name), seq: n, when: { at, mark: null } } as const
  const which = name.endsWith('shield') ? 'shield' : 'true'
  const challenge = hash(which)
  if (name === 'true' || name === 'shield') {
    return { ...common, type: 'challenge', author: author[name], payload: challengeOf(name) }
  }
  if (name.startsWith('w ')) {
    const payload = { of: 'w', challenge, value: wValue(n), next: wCommitment(n + 1), after: null } as const
    return { ...common, type: 'reveal', author: 'worker', payload }
  }
  if (name.startsWith('c ')) {
    const w = state.happened[which === 'true' ? 'w true' : 'w shield']
    const after =
      w !== undefined && w.at <= at && w.at <= (state.happened[which]?.at ?? 0) + 120 ? hash(`w ${which}`) : null
    const payload = { of: 'c', challenge, value: hash(`c ${which}`), next: null, after } as const
    return { ...common, type: 'reveal', author: author[which], payload }
  }
  if (name === 'release') return undefined
  const outcome = name === 'ruling home' ? 'upheld' : 'dismissed'
  const payload = { challenge: hash('true'), work: work.work, outcome, recomputed: null, code: null } as const
  return { ...common, type: 'ruling', author: name === 'ruling home' ? 'home' : 'accomplice', payload }
}

const eventsOf = (state: State, names: readonly Name[]): readonly DisputeEvent[] =>
  names.flatMap((name) => {
    const at = state.happened[name]
    return at === undefined ? [] : (eventOf(name, at, state) ?? [])
  })

const fold = (state: State, events: readonly DisputeEvent[], rules: Rules): DisputesStanding =>
  foldDisputes(
    {
      works: [work],
      events,
      bonded: ['worker', 'accomplice', 'home'].map((node) => ({ node, from: 0, until: null })),
      ...{ owners: [], tick: state.tick },
    },
    rules,
  )

const checksOf = (state: State, isWrong: boolean): readonly EventOf<'checked'>[] =>
  state.checked.map((which) => ({
    ...{ type: 'checked', id: hash(`check ${which}`), author: 'home', seq: 0, when: { at: T0, mark: null } },
    payload: { challenge: hash(which), outcome: which === 'true' && isWrong ? 'upheld' : 'dismissed' },
  }))

const homeStanding = (state: State, isWrong: boolean, rules: Rules): DisputesStanding =>
  fold(state, [...eventsOf(state, state.knows.home), ...checksOf(state, isWrong)], rules)

interface Model {
  readonly isWrong: boolean
  readonly rules: Rules
}

/** Who says an event knows it at once; worker and accomplice know all there is. */
const saidBy = (name: Name): Observer | undefined =>
  name === 'true' || name === 'c true' ? 'requester' : name === 'ruling home' ? 'home' : undefined

const happen = (state: State, name: Name): State => {
  const n = name.startsWith('w ')
    ? NAMES.filter((it) => it.startsWith('w ') && state.happened[it] !== undefined).length
    : 0
  const by = saidBy(name)
  const knows = by === undefined ? state.knows : { ...state.knows, [by]: [...state.knows[by], name].sort() }
  return { ...state, happened: { ...state.happened, [name]: { at: state.tick, n } }, knows }
}

/** Whether an event may be said now: the honest keep to the rules, the others need only what it is about. */
const maySay = (state: State, name: Name, { isWrong }: Model): boolean => {
  const has = (it: Name): boolean => state.happened[it] !== undefined
  const known = (who: Observer, it: Name): boolean => state.knows[who].includes(it)
  if (has(name)) return false
  switch (name) {
    case 'true':
      return isWrong && state.tick <= T0 + 1_287
    case 'shield':
    case 'release':
      return true
    case 'w true':
      return has('true')
    case 'c true':
      return has('true') && (known('requester', 'w true') || state.tick > (state.happened.true?.at ?? 0) + 120)
    case 'w shield':
      return has('shield')
    case 'ruling home':
      return state.checked.includes('true')
    case 'ruling accomplice':
      return has('true')
  }
}

const homeSteps = (state: State, model: Model): readonly State[] => {
  const standing = homeStanding(state, model.isWrong, model.rules)
  const steps: State[] = []
  for (const which of ['true', 'shield'] as const) {
    if (state.knows.home.includes(which) && !state.checked.includes(which)) {
      steps.push({ ...state, checked: [...state.checked, which].sort() })
    }
  }
  const [found] = standing.works.values()
  const view = { node: 'home', zidOf: () => undefined, isCounted: true }
  if (found !== undefined && !state.withheld && notWithheld(found, standing.disputes, view) === null) {
    steps.push({ ...state, withheld: true })
  }
  const released = state.knows.home.includes('release') ? state.happened.release?.at : undefined
  if (released !== undefined && !state.unlocked && !state.withheld) {
    const until = unlocksAt({
      released,
      works: [{ result: T0, published: T0 }],
      disputesUntil: lockedBy(standing, hash('bond'), () => true),
    })
    if (state.tick > (model.rules.releaseWaits ? until : released)) steps.push({ ...state, unlocked: true })
  }
  return steps
}

const stepsFrom = (state: State, model: Model): readonly State[] => {
  const said = NAMES.filter((name) => maySay(state, name, model)).map((name) => happen(state, name))
  const learnt = OBSERVERS.flatMap((who) =>
    ASKED_OF[who]
      .filter((name) => state.happened[name] !== undefined && !state.knows[who].includes(name))
      .map((name) => ({
        ...state,
        knows: { ...state.knows, [who]: [...state.knows[who], name].sort() },
      })),
  )
  // A home that does not hear of a challenge for more than 1,287 + 240 ticks has let go before: no rule helps it.
  const isCut = (['true', 'shield'] as const).some(
    (name) => state.happened[name] !== undefined && !state.knows.home.includes(name),
  )
  const kinds = isCut ? [PASSES.short] : Object.values(PASSES)
  const later = state.passed >= PASSES_MAX ? [] : kinds
  const passed = later.map((ticks) => ({ ...state, tick: state.tick + ticks, passed: state.passed + 1 }))
  return [...said, ...learnt, ...homeSteps(state, model), ...passed]
}

const textOf = ({ disputes, works }: DisputesStanding): string =>
  JSON.stringify([[...disputes].sort(([a], [b]) => (a < b ? -1 : 1)), [...works.values()].map(({ proven }) => proven)])

/** The invariant that does not hold in a state; undefined when all do. */
const brokenIn = (state: State, { isWrong, rules }: Model): Invariant | undefined => {
  const standing = homeStanding(state, isWrong, rules)
  const [found] = standing.works.values()
  const isProven = (found?.proven ?? null) !== null
  if ((state.withheld || isProven) && !isWrong) return 'honest bond'
  if (state.checked.includes('true') && isWrong && !isProven) return 'proven'
  const events = eventsOf(state, state.knows.home)
  if (textOf(fold(state, events, rules)) !== textOf(fold(state, [...events, ...events].reverse(), rules)))
    return 'agreement'
  if (state.unlocked && isProven && !state.withheld) return 'locks'
  const blind = [...standing.disputes.values()].every(({ course }) => {
    if (course === null || course.drawnAt === null) return true
    const { w, c, wUntil } = course.draw
    return c !== null && (w === null ? c.at > wUntil : w.at <= c.at) && !course.ranks.includes('requester')
  })
  return blind ? undefined : 'blind draw'
}

/** What going through a model came to. */
export interface Explored {
  readonly states: number
  readonly broken: { readonly invariant: Invariant; readonly state: string } | undefined
  readonly text: string
}

const START: State = {
  ...{ tick: T0, passed: 0, happened: {}, knows: { requester: [], home: [] }, checked: [] },
  ...{ withheld: false, unlocked: false },
}

const keyOf = (state: State): string =>
  createHash('sha256')
    .update(canonical(state as unknown as Json))
    .digest('base64')

/** Goes through every interleaving of at most so many steps, of a wrong work and of a right one. */
export const explore = (stepsMax = 12, rules: Rules = trustRules): Explored => {
  let states = 0
  for (const isWrong of [true, false]) {
    const model = { isWrong, rules }
    const seen = new Set([keyOf(START)])
    let edge: readonly State[] = [START]
    for (let depth = 0; depth <= stepsMax && edge.length > 0; depth++) {
      const next: State[] = []
      for (const state of edge) {
        states += 1
        const invariant = brokenIn(state, model)
        if (invariant !== undefined) {
          const text = canonical(state as unknown as Json)
          return { states, broken: { invariant, state: text }, text: `${invariant} does not hold in ${text}` }
        }
        if (depth === stepsMax) continue
        for (const step of stepsFrom(state, model)) {
          const key = keyOf(step)
          if (seen.has(key)) continue
          seen.add(key)
          next.push(step)
        }
      }
      edge = next
    }
  }
  return {
    states,
    broken: undefined,
    text: `${states} states of at most ${stepsMax} steps: every invariant holds in each`,
  }
}
