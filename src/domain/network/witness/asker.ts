import { Fault } from '#core/fault.ts'
import { encodeVkey } from '#core/note.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { cosignaturesAt, cosignedOf } from '#store/cosigned.ts'
import type { SealLog } from '#store/seal-log.ts'
import { chooseWitnesses, nodeOfWitness, type WitnessCandidate } from './choose.ts'
import type { Words } from './confirmation.ts'
import { type AskerOptions, createVisits, type Known, type Result, type Visit } from './visit.ts'

/** A witness outside the mesh is asked at most this often. */
export const OUTSIDE_EVERY_TICKS = 1_287
/** Out of its turn a witness is asked at most this often, for an event that it should see at once. */
export const URGED_EVERY_TICKS = 120
/** How long one that did not answer, or refused, is left alone; longer if it does not know the log. */
const FAILED_TICKS = 8
const UNKNOWN_TICKS = 120
/** Witnesses asked at once: those of both logs. */
const BUSY_MAX = 16
/** Witnesses remembered in this process. */
const REMEMBERED_MAX = 256

/** The side of the logs: asks witnesses to cosign the newest checkpoints. */
export interface Asker {
  /** What is due: call it after each tick's checkpoint. Returns at once. */
  beat(signal: AbortSignal, track: (work: Promise<void>) => void): void
  /** What the witnesses have said by now. */
  words(): Words
}

const restAfter = (result: Result, outside: boolean): number => {
  if (outside) return OUTSIDE_EVERY_TICKS
  if (result === 'cosigned') return 0
  return result === 'status_404' ? UNKNOWN_TICKS : FAILED_TICKS
}

/** A witness under one name whatever log it is asked about. */
const keyOf = ({ node, url, name }: WitnessCandidate): string => node ?? url ?? name

const logsOf = ({ store }: AskerOptions): readonly SealLog[] => [store.log, store.events]

/** Ticks that are left of the rest of a witness outside, whom an earlier start has asked: its signature says when. */
const restOf = (options: AskerOptions, { verifier }: WitnessCandidate): number => {
  const { store } = options
  if (verifier === undefined) return 0
  const vkey = encodeVkey(verifier)
  const seconds = logsOf(options).flatMap(({ name }) => {
    const size = cosignedOf(store, name).witnesses[vkey]
    const found = size === undefined ? [] : cosignaturesAt(store, name, size)
    return found.filter((it) => it.vkey === vkey).map((it) => it.seconds)
  })
  if (seconds.length === 0) return 0
  const ageSeconds = Number(store.now().instant / NS_PER_SECOND) - Math.max(...seconds)
  return Math.min(OUTSIDE_EVERY_TICKS, Math.max(0, OUTSIDE_EVERY_TICKS - Math.floor(ageSeconds / TICK_SECONDS)))
}

/** Witnesses as this process knows them. */
const createMemory = (options: AskerOptions) => {
  const witnesses = new Map<string, Known>()
  const forgetOne = (): void => {
    for (const [name, { busy }] of witnesses) {
      if (witnesses.size < REMEMBERED_MAX) return
      if (!busy) witnesses.delete(name)
    }
  }
  return {
    all: (): readonly Known[] => [...witnesses.values()],
    of: (to: WitnessCandidate): Known => {
      const key = keyOf(to)
      const before = witnesses.get(key)
      if (before !== undefined) return before
      forgetOne()
      const rest = to.node === undefined ? options.store.now().meshTick + restOf(options, to) : 0
      const known: Known = {
        verifier: to.verifier,
        busy: false,
        rest,
        urged: Number.NEGATIVE_INFINITY,
        sizes: new Map(),
        asked: new Set(),
        vouched: new Set(),
      }
      witnesses.set(key, known)
      return known
    },
  }
}

/** While somebody in particular is waited for: connected nodes that had cosigned a log, chosen for it now or not. */
const soughtFor = ({ confirmation }: AskerOptions, log: SealLog): readonly WitnessCandidate[] =>
  confirmation.seeks()
    ? confirmation.earlier(log).map((verifier) => {
        return { name: verifier.name, node: nodeOfWitness(verifier.name), url: undefined, verifier }
      })
    : []

/** Every witness that can be reached, with the logs it is chosen for. */
const chosen = (
  options: AskerOptions,
): ReadonlyMap<string, { readonly to: WitnessCandidate; readonly about: SealLog[] }> => {
  const { policy, node: self } = options
  const all = new Map<string, { readonly to: WitnessCandidate; readonly about: SealLog[] }>()
  const peers = options.peers()
  for (const log of logsOf(options)) {
    for (const it of [...chooseWitnesses(log.origin, { policy, peers, self }), ...soughtFor(options, log)]) {
      const near = it.node !== undefined && peers.includes(it.node)
      if (!near && it.url === undefined) continue
      const to = near ? it : { ...it, node: undefined }
      const before = all.get(keyOf(to))
      if (before === undefined) all.set(keyOf(to), { to, about: [log] })
      else if (!before.about.includes(log)) before.about.push(log)
    }
  }
  return all
}

/** Newest head only, one request in flight at each witness, at most eight witnesses a log. */
export const createAsker = (options: AskerOptions): Asker => {
  const { store, rollback, log: lines, meter } = options
  const { inquire, cosign } = createVisits(options)
  const witnesses = createMemory(options)
  const now = (): number => store.now().meshTick

  const newest = ({ sizes }: Known, log: SealLog) =>
    log.checkpoint !== undefined && log.checkpoint.size > (sizes.get(log.origin) ?? 0) ? log.checkpoint : undefined

  /** Whether a witness has something to be asked about a log; one outside is not asked for what it need not say. */
  const isDue = (known: Known, to: WitnessCandidate, log: SealLog): boolean =>
    (to.node !== undefined && !known.asked.has(log.origin)) || newest(known, log) !== undefined

  /** Whether a witness has not signed leaves of a log that it should see at once, and may be asked out of its turn. */
  const isUrgent = (known: Known, log: SealLog): boolean => {
    const size = store.peek('urgent', log.name) ?? 0
    if ((log.checkpoint?.size ?? 0) < size || now() - known.urged < URGED_EVERY_TICKS) return false
    const vkey = known.verifier === undefined ? '' : encodeVkey(known.verifier)
    const signed = cosignedOf(store, log.name).witnesses[vkey] ?? 0
    return Math.max(signed, known.sizes.get(log.origin) ?? 0) < size
  }

  const visit = async (it: Visit): Promise<void> => {
    const { to, known, log } = it
    let result: Result = 'unanswered'
    try {
      if (!known.asked.has(log.origin)) await inquire(it)
      const checkpoint = newest(known, log)
      // One outside has no other way to say what it has; what it is shown again was signed long ago.
      const mayAsk = store.held === undefined || (options.confirmation.seeks() && to.node === undefined)
      if (checkpoint === undefined || !mayAsk || rollback.lost() !== undefined) return
      result = await cosign(it, checkpoint)
    } catch (error) {
      if (it.signal.aborted) return
      result = error instanceof Fault ? 'bad_answer' : 'unanswered'
      lines.debug({ witness: to.name, origin: log.origin, error }, 'witness_failed')
    }
    meter.count('cosignature_requests_total', { result })
    known.rest = Math.max(known.rest, now() + restAfter(result, to.node === undefined))
  }

  const visitAll = async (
    to: WitnessCandidate,
    known: Known,
    about: readonly SealLog[],
    signal: AbortSignal,
  ): Promise<void> => {
    known.busy = true
    try {
      for (const log of about) if (!signal.aborted) await visit({ to, known, log, signal })
    } finally {
      known.busy = false
    }
  }

  return {
    beat: (signal, track) => {
      if (options.transport() === undefined || signal.aborted || rollback.lost() !== undefined) return
      for (const { to, about } of chosen(options).values()) {
        const known = witnesses.of(to)
        const busy = witnesses.all().filter((it) => it.busy).length
        if (known.busy || busy >= BUSY_MAX) continue
        const rests = now() < known.rest
        const due = about.filter((log) => isDue(known, to, log) && (!rests || isUrgent(known, log)))
        if (due.length === 0) continue
        if (rests) known.urged = now()
        track(visitAll(to, known, due, signal))
      }
    },
    words: () => {
      const all = witnesses.all()
      const isAnswer = ({ asked }: Known): boolean => logsOf(options).every(({ origin }) => asked.has(origin))
      return {
        answered: all.some(isAnswer) && !all.some((it) => it.busy),
        vouching: (origin) =>
          all.flatMap(({ vouched, verifier }) => (verifier !== undefined && vouched.has(origin) ? [verifier] : [])),
      }
    },
  }
}
