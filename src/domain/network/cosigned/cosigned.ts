import { checkpointText } from '#core/checkpoint.ts'
import { type CosignedPoint, firstCover } from '#core/cosigned.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { encodeVkey, takeSignatureLines, type Verifier } from '#core/note.ts'
import { breathe } from '#core/wait.ts'
import type { Keeping, NetworkContext } from '#domain/network/context.ts'
import { foreignLogSource } from '#domain/network/sync/log-source.ts'
import { SyncRefused } from '#domain/network/sync/refused.ts'
import { ownLogs } from '#domain/network/sync/wants.ts'
import { chooseWitnesses } from '#domain/network/witness/choose.ts'
import { cosignaturesAt, cosignedOf } from '#store/cosigned.ts'
import { sourceOf } from '#store/foreign.ts'
import { cosignedByKey, pointsOf, witnessId } from '#store/rows/cosigned.ts'
import { askFrame, type CosignedTold, LINES_TOLD_MAX, readAsk, readTold, toldFrame } from './frames.ts'
import { keepLines, type VerifiedLine } from './keep.ts'
import { createRounds } from './rounds.ts'
import { tellCosigned } from './tell.ts'
import type { Cosigned } from './types.ts'

/** How often what witnesses said of the own logs is taken into the lists; 64 checkpoints of it are kept meanwhile. */
const OWN_EVERY_BEATS = 4
/** Lists that are kept decoded. */
const CACHED_MAX = 256
/** Lines verified between two breaths of the loop. */
const LINES_AT_ONCE = 16

/** Lists of points as they are durable, the last ones asked for. */
const createCache = ({ store }: Keeping) => {
  const lists = new Map<string, readonly CosignedPoint[]>()
  return {
    of: (source: string, id: string): readonly CosignedPoint[] => {
      // A log may have given its place, and its lists with it, in a commit of somebody else's.
      if (store.peek('cosignedLog', source)?.witnesses.includes(id) !== true) return []
      const key = cosignedByKey(source, id)
      const known = lists.get(key)
      if (known !== undefined) return known
      const row = store.peek('cosignedBy', key)
      const points = row === undefined ? [] : pointsOf(row)
      const [oldest] = lists.keys()
      if (lists.size >= CACHED_MAX && oldest !== undefined) lists.delete(oldest)
      lists.set(key, points)
      return points
    },
    drop: (source: string): void => {
      for (const key of [...lists.keys()]) if (key.startsWith(`${source}/`)) lists.delete(key)
    },
  }
}

/** The witnesses of the policy whom a log asks: the author is none of its own. */
const chosenFor = ({ policy }: Keeping, origin: string): readonly Verifier[] =>
  policy === undefined
    ? []
    : chooseWitnesses(origin, { policy, peers: [], self: nodeOfLog(origin) }).flatMap((it) => it.verifier ?? [])

const idsOf = (verifiers: readonly Verifier[]): ReadonlySet<string> =>
  new Set(verifiers.map((it) => witnessId(encodeVkey(it))))

/** What a line on this text says, if one of these witnesses signed it; a line of anybody else's says nothing here. */
const verifiedOn = (text: string, line: string, witnesses: readonly Verifier[]) => {
  try {
    return takeSignatureLines(text, line, witnesses)
  } catch (cause) {
    if (cause instanceof Fault) return []
    throw cause
  }
}

/**
 * Verifies lines of another's log against the roots of the leaves that are held here: a witness that signed another
 * tree of that size has not signed these leaves. What lies before the first leaf kept cannot be verified any more.
 */
const verify = async (
  { store }: Keeping,
  [origin, , lines]: CosignedTold,
  { size, witnesses }: { readonly size: number; readonly witnesses: readonly Verifier[] },
): Promise<readonly VerifiedLine[]> => {
  const logSource = foreignLogSource(store, origin)
  const texts = new Map<number, string | undefined>()
  const textAt = async (at: number): Promise<string | undefined> => {
    if (texts.has(at)) return texts.get(at)
    let text: string | undefined
    try {
      text = checkpointText({ origin, size: at, root: await logSource.rootAt(at) })
    } catch (cause) {
      if (!(cause instanceof SyncRefused)) throw cause
    }
    texts.set(at, text)
    return text
  }
  const verified: VerifiedLine[] = []
  for (const [i, [at, line]] of lines.entries()) {
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) await breathe()
    const text = at > 0 && at <= size ? await textAt(at) : undefined
    for (const { verifier, timestamp, line: own } of text === undefined ? [] : verifiedOn(text, line, witnesses)) {
      verified.push({ vkey: encodeVkey(verifier), size: at, seconds: timestamp ?? 0, line: own })
    }
  }
  return verified
}

type Commit = (origin: string, lines: readonly VerifiedLine[], heard?: number) => Promise<void>

/** Takes what witnesses said of the own logs into the lists; each line was verified when it came. */
const createOwnTaker = (
  { options }: NetworkContext,
  keeping: Keeping,
  { cache, commit }: { readonly cache: ReturnType<typeof createCache>; readonly commit: Commit },
) => {
  const { store } = keeping
  const takeAll = async (): Promise<void> => {
    for (const { name, origin } of ownLogs(keeping)) {
      const source = sourceOf(origin)
      const lines = cosignedOf(store, name).sizes.flatMap((size) =>
        cosignaturesAt(store, name, size).map(({ vkey, line, seconds }) => ({ vkey, size, line, seconds })),
      )
      const isKnown = ({ vkey, size, seconds }: VerifiedLine): boolean =>
        (firstCover(cache.of(source, witnessId(vkey)), size - 1) ?? Number.POSITIVE_INFINITY) <= seconds
      const fresh = lines.filter((it) => !isKnown(it))
      if (fresh.length > 0) await commit(origin, fresh)
    }
  }
  let taking = false
  return {
    /** Begins to, unless it is under way. */
    take: (): void => {
      if (taking) return
      taking = true
      takeAll()
        .catch((error: unknown) => options.log.debug({ error }, 'cosignatures_not_taken'))
        .finally(() => {
          taking = false
        })
    },
  }
}

/** Keeps when witnesses signed event logs: of the own ones as they sign them, of others' by asking whoever may know. */
export const createCosigned = (context: NetworkContext, keeping: Keeping): Cosigned => {
  const { store } = keeping
  const cache = createCache(keeping)
  const witnessed = (keeping.policy?.witnesses.size ?? 0) > 0
  const rounds = createRounds()

  const commit: Commit = async (origin, lines, heard) => {
    const source = sourceOf(origin)
    const chosen = idsOf(chosenFor(keeping, origin))
    const isOwn = ownLogs(keeping).some((it) => it.origin === origin)
    await store.commit((tx) => {
      // Another log may have taken its place since it was asked about.
      const size = isOwn ? Number.POSITIVE_INFINITY : (tx.get('foreignLog', source)?.size ?? 0)
      if (size === 0) return
      keepLines(tx, source, { lines: lines.filter((it) => it.size <= size), chosen, heard })
      tx.onDurable(() => cache.drop(source))
    })
  }

  const own = createOwnTaker(context, keeping, { cache, commit })

  const takeOne = async (node: string, told: CosignedTold): Promise<void> => {
    const [origin, next] = told
    const size = store.peek('foreignLog', sourceOf(origin))?.size ?? 0
    const witnesses = chosenFor(keeping, origin)
    if (size === 0 || witnesses.length === 0) return
    const lines = await verify(keeping, told, { size, witnesses })
    const isSource = nodeOfLog(origin) === node
    if (lines.length > 0 || isSource) await commit(origin, lines, isSource ? next : undefined)
    rounds.told(node, origin, { next, more: told[2].length === LINES_TOLD_MAX })
  }

  /** Whether some witness of a log has not been seen to sign all of what is held of it. */
  const lacks = (origin: string, size: number): boolean => {
    const source = sourceOf(origin)
    return [...idsOf(chosenFor(keeping, origin))].some((id) => (cache.of(source, id).at(-1)?.size ?? 0) < size)
  }

  const heardFrom = (node: string, origin: string): number =>
    rounds.next(node, origin) ??
    (nodeOfLog(origin) === node ? (store.peek('cosignedLog', sourceOf(origin))?.heard ?? 0) : 0)

  let beats = 0
  return {
    answer: (question) => {
      const asks = readAsk(question)
      if (asks === undefined) throw new Error('this is no question about cosignatures')
      return toldFrame(tellCosigned(store, asks))
    },
    due: (connected) => {
      beats += 1
      if (beats % OWN_EVERY_BEATS === 0) own.take()
      if (!witnessed) return []
      const held = (context.sync?.sources() ?? []).filter((it) => it.size > 0)
      const asks = rounds.due(held, { connected, beats, lacks })
      return asks.map(({ node, logs }) => ({
        node,
        question: askFrame(logs.map(({ origin, size }) => [origin, heardFrom(node, origin), size] as const)),
      }))
    },
    take: async (node, answer) => {
      const told = answer === undefined ? undefined : readTold(answer)
      const asked = rounds.answered(node)
      try {
        for (const one of told ?? []) if (asked.has(one[0])) await takeOne(node, one)
        const named = new Set(told?.map(([origin]) => origin))
        for (const origin of told === undefined ? [] : asked) if (!named.has(origin)) rounds.silent(node, origin)
      } catch (error) {
        context.options.log.debug({ node, error }, 'cosignatures_not_taken')
      }
    },
    firstOf: (origin, leaf) => {
      const source = sourceOf(origin)
      const seconds = [...idsOf(chosenFor(keeping, origin))].flatMap(
        (id) => firstCover(cache.of(source, id), leaf) ?? [],
      )
      return seconds.length === 0 ? undefined : Math.min(...seconds)
    },
  }
}
