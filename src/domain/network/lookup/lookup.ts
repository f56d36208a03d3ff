import type { Keeping, NetworkContext } from '#domain/network/context.ts'
import { remembered } from '#domain/network/remembered.ts'
import { keyOf } from '#store/key-parts.ts'
import { answerFrame, type LookupName, questionFrame, readAnswer, readQuestion } from './frames.ts'
import { FalseAnswer, takeProven, verifyFound } from './take.ts'
import { tellFound } from './tell.ts'
import type { Lookup, LookupWay } from './types.ts'

/** Peers asked about one name, one after another. */
const ASKED_MAX = 4
/** All of them together. */
const FIND_TIMEOUT_MS = 8_000
/** Names that are asked about at once, and that are begun within one tick: what callers ask for costs others work. */
const FINDS_MAX = 8
const FINDS_PER_TICK = 8
/** A name that was asked about is not asked about again for so long; so many are remembered. */
const AGAIN_TICKS = 64
const REMEMBERED_MAX = 4_096

/** Whom to ask: the node itself about a node, and others in turn. */
const chosen = ({ kind, name }: LookupName, connected: readonly string[], turn: number): readonly string[] => {
  const sorted = [...connected].sort()
  const from = sorted.length === 0 ? 0 : turn % sorted.length
  const inTurn = [...sorted.slice(from), ...sorted.slice(0, from)]
  const first = kind === 'node' && sorted.includes(name) ? [name] : []
  return [...new Set([...first, ...inTurn])].slice(0, ASKED_MAX)
}

/** Finds events by what they name at other nodes, and answers who asks. */
export const createLookup = ({ moment, sync, options: { log } }: NetworkContext, keeping: Keeping): Lookup => {
  const underway = new Map<string, Promise<number>>()
  const asked = remembered(AGAIN_TICKS, REMEMBERED_MAX)
  let way: LookupWay | undefined
  let [turn, tick, begun] = [0, 0, 0]

  const askOne = async (about: LookupName, node: string, by: LookupWay, signal: AbortSignal): Promise<number> => {
    try {
      const found = readAnswer(await by.ask(node, questionFrame(about), signal))
      if (found === undefined) throw new FalseAnswer('This is no answer.')
      const proven = await verifyFound(found, about)
      // Where there is room for their logs, sync brings the rest.
      for (const { origin, event } of proven) sync?.noted(origin, event.seq + 1)
      return await takeProven(keeping, proven)
    } catch (error) {
      log.debug({ node, kind: about.kind, error }, 'lookup_failed')
      return 0
    }
  }

  const findNow = async (about: LookupName, by: LookupWay): Promise<number> => {
    const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
    for (const node of chosen(about, by.connected(), turn++)) {
      const taken = signal.aborted ? 0 : await askOne(about, node, by, signal)
      if (taken > 0) return taken
    }
    return 0
  }

  /** Whether a name may be asked about now. */
  const mayBegin = (key: string): boolean => {
    const { meshTick } = moment()
    asked.forget(meshTick)
    if (meshTick !== tick) [tick, begun] = [meshTick, 0]
    if (asked.has(key) || underway.size >= FINDS_MAX || begun >= FINDS_PER_TICK) return false
    begun += 1
    asked.add(key, meshTick)
    return true
  }

  return {
    answer: async (question) => {
      const about = readQuestion(question)
      if (about === undefined) throw new Error('this is no question about events')
      return answerFrame(await tellFound(keeping, about))
    },
    find: (about) => {
      const key = keyOf(about.kind, about.name)
      const running = underway.get(key)
      if (running !== undefined) return running
      if (way === undefined || way.connected().length === 0 || !mayBegin(key)) return Promise.resolve(0)
      const made = findNow(about, way).finally(() => underway.delete(key))
      underway.set(key, made)
      return made
    },
    join: (it) => {
      way = it
    },
  }
}
