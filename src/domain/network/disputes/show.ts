import { toBase64 } from '#core/bytes.ts'
import { type Caller, isSignedIn } from '#core/caller.ts'
import { claimedAt } from '#core/dispute/challenge.ts'
import { dutiesOf } from '#core/dispute/duties.ts'
import type { Dispute, DisputesStanding } from '#core/dispute/fold.ts'
import { type EventTime, workKey } from '#core/dispute/types.ts'
import { Fault } from '#core/fault.ts'
import type { DisputeItem, DisputePage, DisputeView } from '#domain/network/views/disputes.ts'
import { askedFor, type Checks } from './check.ts'
import type { Data } from './data.ts'
import type { DisputePorts } from './types.ts'
import type { DisputeEvents } from './union.ts'

/** Bytes of data that stand in an answer itself. */
const INLINE_BYTES_MAX = 262_144

const whenOf = (when: EventTime | 'pending'): DisputeItem['when'] =>
  when === 'pending' ? { at: null, mark: null } : { at: when.at, mark: when.mark }

const itemOf = ({ id, work, challenge, refused, phase, end, verdict, course }: Dispute): DisputeItem => ({
  ...{ id, work: work.work, challenger: challenge.author, requester: work.requester, worker: work.worker },
  ...{ kind: challenge.payload.kind, segment: challenge.payload.segment, when: whenOf(challenge.when) },
  ...{ phase, refused, end: end === null ? null : { how: end.how, at: end.at }, verdict, until: course?.until ?? null },
})

const blobOf = (bytes: Uint8Array | undefined, sha256: string | null): DisputeView['before'] =>
  bytes === undefined
    ? null
    : { sha256, size: bytes.length, base64: bytes.length <= INLINE_BYTES_MAX ? toBase64(bytes) : null }

type Step = DisputeView['steps'][number]

/** What happened, and what is owed by whom. */
const stepsOf = (standing: DisputesStanding, dispute: Dispute, tick: number): readonly Step[] => {
  const { course, challenge, work, end } = dispute
  const done = (what: string, by: string, at: number | null): Step => ({ what, by, at, until: null, done: true })
  const happened: Step[] = [
    done('published', work.requester, whenOf(work.when).at),
    done('challenged', challenge.author, whenOf(challenge.when).at),
    ...(course?.draw.w == null ? [] : [done('revealed w', work.worker, course.draw.w.at)]),
    ...(course?.draw.c == null ? [] : [done('revealed c', challenge.author, course.draw.c.at)]),
    ...(course?.rulings ?? []).map(({ author, outcome, at }) => done(`ruled ${outcome}`, author, at)),
    ...(end === null ? [] : [done(`ended ${end.how}`, work.requester, end.at)]),
  ]
  const nodes = new Set([work.requester, work.worker, challenge.author, ...(course?.ranks ?? [])])
  const owed = [...nodes].flatMap((node) =>
    dutiesOf(standing, node, tick)
      .filter((duty) => duty.challenge === dispute.id && duty.what !== 'serve')
      .map((duty): Step => ({ what: duty.what, by: node, at: duty.from, until: duty.until, done: false })),
  )
  return [...happened, ...owed]
}

interface Shown {
  readonly standing: DisputesStanding
  readonly read: DisputeEvents
}

/** Disputes as they are shown. */
export const createShow = (
  { store }: Pick<DisputePorts, 'store'>,
  { data, checks }: { readonly data: Data; readonly checks: Checks },
  current: () => Promise<Shown>,
) => ({
  list: async ({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<DisputePage> => {
    const { standing } = await current()
    const at = ({ challenge }: Dispute): number => whenOf(challenge.when).at ?? Number.MAX_SAFE_INTEGER
    const all = [...standing.disputes.values()].sort((a, b) => at(b) - at(a) || (a.id < b.id ? -1 : 1))
    const open = all.filter(({ phase }) => phase !== 'ended' && phase !== 'refused').length
    return { total: all.length, open, offset, items: all.slice(offset, offset + limit).map(itemOf) }
  },
  view: async (caller: Caller, id: string): Promise<DisputeView> => {
    const { standing, read } = await current()
    const dispute = standing.disputes.get(id)
    const row = read.events.get(id)
    if (dispute === undefined || row === undefined) throw new Fault('NOT_FOUND', 'No such dispute is known here.')
    const of = askedFor(dispute)
    // Other nodes are asked for somebody who is known here: a stranger moves no data between others.
    const from = isSignedIn(caller) ? data : data.here
    const known = await from.get(of)
    const { challenge, course, work } = dispute
    const before = challenge.payload.before === null ? undefined : await from.before(of, challenge.payload)
    const records = challenge.payload.segment === 'finish' ? await from.records(of) : undefined
    const own = checks.known(dispute)
    const draw = course?.draw
    return {
      ...itemOf(dispute),
      mesh_tick: store.now().meshTick,
      challenge: challenge.payload,
      signature: (row.payload as { readonly signature: string }).signature,
      dossier: known?.dossier ?? null,
      inputs: known?.inputs ?? null,
      before: blobOf(before, challenge.payload.before?.sha256 ?? null),
      records: blobOf(records, null),
      draw:
        draw === undefined
          ? null
          : { w: draw.w?.value ?? null, w_until: draw.wUntil, c: draw.c?.value ?? null, c_until: draw.cUntil },
      ranks: course?.ranks ?? [],
      rulings: course?.rulings ?? [],
      own: own === undefined ? null : { outcome: own.outcome, recomputed: own.recomputed, at: own.mesh_tick },
      claimed: known === undefined ? null : claimedAt(challenge.payload, known.dossier.work.work),
      bond: work.terms?.bond ?? null,
      withheld_by: standing.works.get(workKey(work))?.withheldBy.map(({ node }) => node) ?? [],
      steps: [...stepsOf(standing, dispute, store.now().meshTick)],
    } as DisputeView
  },
})
