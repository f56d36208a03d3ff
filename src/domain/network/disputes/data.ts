import type { Json } from '#core/canonical.ts'
import type { ChallengeOfWork } from '#core/dispute/challenge.ts'
import type { Dossier } from '#domain/network/works/served.ts'
import { inputsIn, isDossier, readDossier } from './dossier.ts'
import type { DisputePorts } from './types.ts'

/** How long data of one work are asked for, in milliseconds, and works whose data are remembered. */
const PULL_MS_MAX = 30_000
const REMEMBERED_MAX = 4_096

/** What is known of a work beside its place. */
export interface WorkData {
  readonly dossier: Dossier
  readonly inputs: Json
  readonly workUnits: number
  readonly steps: number | null
}

/** A work and those who may have its data. */
export interface WorkSides {
  readonly work: string
  readonly worker: string
  readonly requester: string
  /** Who disputes it, if somebody does. */
  readonly challenger?: string
}

/** Data of disputed works: from here, or from those who have them. */
export const createData = ({ blobs, parts, nodeId }: DisputePorts, stop: AbortSignal) => {
  const known = new Map<string, WorkData>()

  const sidesOf = ({ requester, worker, challenger = '' }: WorkSides): readonly string[] =>
    [requester, worker, challenger].filter((it) => it !== '' && it !== nodeId)
  const signal = (): AbortSignal => AbortSignal.any([stop, AbortSignal.timeout(PULL_MS_MAX)])

  const remember = (work: string, data: WorkData): WorkData => {
    known.set(work, data)
    const [oldest] = known.keys()
    if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest)
    return data
  }

  /** @param from whom data are asked for that are not here */
  const reading = (from: (of: WorkSides) => readonly string[]) => ({
    /** Offer, accept, work and inputs. @returns undefined while nobody gives them */
    get: async (of: WorkSides): Promise<WorkData | undefined> => {
      const before = known.get(of.work)
      if (before !== undefined) return before
      const sides = from(of)
      const isRight = (bytes: Uint8Array): boolean => isDossier(bytes, of)
      const bytes = await blobs.pull({ kind: 'dossier', work: of.work }, sides, { signal: signal(), isRight })
      if (bytes === undefined || !isRight(bytes)) return undefined
      const dossier = readDossier(bytes, of)
      const read = (it: Uint8Array) => inputsIn({ parts }, dossier, it)
      const named = { kind: 'inputs', digest: dossier.offer.offer.inputs } as const
      const raw = await blobs.pull(named, sides, { signal: signal(), isRight: (it) => read(it) !== undefined })
      const found = raw === undefined ? undefined : read(raw)
      return found === undefined ? undefined : remember(of.work, { dossier, ...found })
    },
    /** The state that a challenged segment begins with, and the records of a run whose end is challenged. */
    before: (of: WorkSides, { before }: Pick<ChallengeOfWork, 'before'>): Promise<Uint8Array | undefined> =>
      before === null
        ? Promise.resolve(undefined)
        : blobs.pull({ kind: 'bytes', sha256: before.sha256 }, from(of).toReversed(), { signal: signal() }),
    records: (of: WorkSides): Promise<Uint8Array | undefined> =>
      blobs.pull({ kind: 'records', work: of.work }, from(of), { signal: signal() }),
  })

  return {
    ...reading(sidesOf),
    known: (work: string): WorkData | undefined => known.get(work),
    /** The same, of what is here alone: nobody is asked. */
    here: reading(() => []),
    /** Digests of all states, one after another. */
    states: (of: WorkSides, root: string, isRight: (bytes: Uint8Array) => boolean): Promise<Uint8Array | undefined> =>
      blobs.pull({ kind: 'states', root }, sidesOf(of), { signal: signal(), isRight }),
  }
}
export type Data = ReturnType<typeof createData>
