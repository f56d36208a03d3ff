import { fromHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { parseAnyCheckpoint } from '#core/checkpoint.ts'
import { type EquivocationProof, equivocationOf, verifyEquivocation } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { parseNote } from '#core/note.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Network } from '#domain/network/types.ts'
import type { Equivocation } from '#domain/network/views.ts'
import type { Store } from '#store/store.ts'
import { evidenceOf, keepEvidence, originHash } from './evidence.ts'

/** Proofs that wait to be recorded. */
const WAITING_MAX = 64
/** Evidence against logs that it does not witness, in so many ticks: strangers must not fill its event log. */
const RECORDED_MAX = 64
const RECORDED_TICKS = 1_287
/**
 * Of a log that is known to have two histories, evidence is recorded again only where it leaves so much less of it: its
 * key could sign one smaller pair after the other, and each would be a leaf here for ever.
 */
const TOLD_AGAIN = 0.5
/** Logs whose told sizes are remembered in this process. */
const TOLD_MAX = 2_048

/** Pairs of heads checked in one look: strangers make them faster than signatures are verified. */
const PAIRS_MAX = 16

export interface AccuserOptions {
  readonly store: Store
  readonly network: Pick<Network, 'heads' | 'equivocations' | 'record'>
  readonly log: Log
  readonly meter: Meter
}

/** Finds evidence in what this node has heard, keeps it, and records it for all. */
export interface Accuser {
  /** Takes proof that was found; what proves nothing is left out. */
  accuse(proof: EquivocationProof): void
  /** Looks at the heads heard since the last look. */
  look(): void
  /** Writes down what waits. */
  record(): Promise<void>
}

/** Logs that are witnessed here come first; the rest comes round with the next looks. */
const knownFirst = (store: Pick<Store, 'peek'>, pairs: readonly Equivocation[]): readonly Equivocation[] => {
  const known = pairs.filter(({ origin }) => store.peek('witnessed', originHash(origin)) !== undefined)
  return [...known, ...pairs.filter((it) => !known.includes(it))]
}

/** Remembers what was told of each log, the newest of so many. */
const createAccusedMemory = () => {
  const sizes = new Map<string, number>()
  return {
    get: (origin: string): number | undefined => sizes.get(origin),
    set: (origin: string, size: number): void => {
      sizes.delete(origin)
      sizes.set(origin, size)
      const [oldest] = sizes.keys()
      if (sizes.size > TOLD_MAX && oldest !== undefined) sizes.delete(oldest)
    },
  }
}

/** What a node finds out is said once, by an event of its own; what others found comes with theirs. */
export const createAccuser = ({ store, network, log, meter }: AccuserOptions): Accuser => {
  const waiting = new Map<string, EquivocationProof>()
  let recorded: number[] = []
  /** Log → the smallest size that this process has recorded of it; the one recorded last stands last. */
  const accused = createAccusedMemory()
  let lookedAt = -1
  const checked = new WeakSet<Equivocation>()

  const accuse = (proof: EquivocationProof): void => {
    const { origin, size, larger, node } = verifyEquivocation(proof)
    const known = evidenceOf(store, origin)
    if (known !== undefined && known.size <= size) return
    const before = waiting.get(origin)
    if (before === undefined && waiting.size >= WAITING_MAX) return
    if (before !== undefined && verifyEquivocation(before).size <= size) return
    waiting.set(origin, proof)
    meter.count('evidence_total')
    log.error({ origin, node, size, larger }, 'log_equivocated')
  }

  const attempt = (make: () => EquivocationProof | undefined): void => {
    try {
      const proof = make()
      if (proof !== undefined) accuse(proof)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
    }
  }

  const headOf = (note: string) => ({ note, checkpoint: parseAnyCheckpoint(parseNote(note).text) })

  /** Two roots of one size: by gossip twice, or by gossip and by what was pushed to the witness. */
  const look = (): void => {
    const { meshTick } = store.now()
    const since = lookedAt
    lookedAt = meshTick
    const pairs = network.equivocations().filter((it) => !checked.has(it))
    for (const pair of knownFirst(store, pairs).slice(0, PAIRS_MAX)) {
      checked.add(pair)
      const [one, other] = pair.notes
      attempt(() => equivocationOf(headOf(one), headOf(other)))
    }
    for (const { origin, note, seen } of network.heads()) {
      const row = seen < since ? undefined : store.peek('witnessed', originHash(origin))
      if (row === undefined || row.note === '') continue
      const cosigned = { note: row.note, checkpoint: { origin, size: row.size, root: fromHex(row.root) } }
      attempt(() => {
        const head = headOf(note)
        return head.checkpoint.size === row.size ? equivocationOf(cosigned, head) : undefined
      })
    }
  }

  const keep = async (proof: EquivocationProof, now: number): Promise<void> => {
    const { origin, size } = verifyEquivocation(proof)
    const before = accused.get(origin) ?? evidenceOf(store, origin)?.size
    const isNews = before === undefined || size <= before * TOLD_AGAIN
    const isWitnessed = store.peek('witnessed', originHash(origin)) !== undefined
    recorded = recorded.filter((tick) => now - tick < RECORDED_TICKS)
    if (isNews && (isWitnessed || recorded.length < RECORDED_MAX)) {
      try {
        await network.record('evidence', proof as unknown as Json)
        if (!isWitnessed) recorded.push(now)
        accused.set(origin, size)
        return
      } catch (error) {
        // A node that cannot append keeps what it knows all the same.
        log.warn({ origin, error }, 'evidence_not_recorded')
      }
    }
    await store.commit((tx) => keepEvidence(tx, proof))
  }

  return {
    accuse: (proof) => attempt(() => proof),
    look,
    record: async () => {
      for (const [origin, proof] of waiting) {
        await keep(proof, store.now().meshTick)
        waiting.delete(origin)
      }
    },
  }
}
