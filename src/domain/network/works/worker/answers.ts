import { parseCanonical } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { closeFault } from '#core/work/audit.ts'
import { workDigest } from '#core/work/work.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { TakenRow } from '#store/works.ts'
import { createDoing } from './doing.ts'
import { createOffers } from './offers.ts'
import { extendResult } from './result.ts'
import { serveStates } from './samples.ts'
import { type TakenJobs, type TakenPlace, takenKey } from './taken.ts'
import { TaskEnd, type Tasks } from './tasks.ts'
import type { WorkerPorts } from './types.ts'

type Message<T extends AskedOfWorker['type']> = Extract<AskedOfWorker, { readonly type: T }>

/** What the parts of a worker share. */
export interface WorkerRoom {
  readonly taken: TakenJobs
  readonly tasks: Tasks
  readonly say: (node: string, message: ToldRequester) => void
  readonly stop: AbortSignal
}

/** Takes offers, and says again how a job stands. */
const createTaking = (ports: WorkerPorts, room: WorkerRoom) => {
  const { taken, tasks, say, stop } = room
  const takeOffer = createOffers(ports, room)
  const { run, tellResult } = createDoing(ports, room)

  const refuse = (node: string, at: TakenPlace, detail: string): void =>
    say(node, { type: 'refuse', job: at.job, attempt: at.attempt, code: 'FAILED', detail })

  /** What a requester is told of a job that it still waits for. */
  const again = async (node: string, row: TakenRow): Promise<void> => {
    if (row.state === 'over') return refuse(node, row.offer.offer, row.reason ?? 'It was ended.')
    if (row.state === 'done') return tellResult(node, row)
    if (tasks.get(row.offer.offer) !== undefined) return
    const reason = 'The worker was restarted.'
    await taken.change(row.offer.offer, (it) =>
      it?.state === 'running' ? { ...it, state: 'over', reason } : undefined,
    )
    refuse(node, row.offer.offer, reason)
  }

  /** Offers that are looked at: of these there is no row yet. */
  const looking = new Set<string>()

  return {
    refuse,
    again,
    isLookedAt: (at: TakenPlace): boolean => looking.has(takenKey(at)),
    offer: async (node: string, message: Message<'offer'>): Promise<void> => {
      const { job, attempt } = message.offer.offer
      const key = takenKey({ job, attempt })
      looking.add(key)
      try {
        const outcome = await takeOffer(node, message, stop)
        looking.delete(key)
        if (outcome.kind === 'refused') return say(node, { type: 'refuse', job, attempt, ...outcome.refusal })
        say(node, { type: 'accept', job, attempt, accept: outcome.row.accept })
        if (outcome.kind === 'known') return await again(node, outcome.row)
        const task = tasks.get(outcome.row.offer.offer)
        if (task !== undefined) await run(outcome.row, outcome.inputs, task)
      } catch (cause) {
        if (!(cause instanceof Fault)) throw cause
        say(node, { type: 'refuse', job, attempt, code: 'UNFIT', detail: cause.message.slice(0, 512) })
      } finally {
        looking.delete(key)
      }
    },
  }
}

/** What each message of a requester comes to. All of it may come twice. */
export const createAnswers = (ports: WorkerPorts, room: WorkerRoom) => {
  const { blobs, contribution } = ports
  const { taken, tasks, say, stop } = room
  const { offer, refuse, again, isLookedAt } = createTaking(ports, room)

  /** The job of a message, if its sender is its requester. */
  const own = (node: string, at: TakenPlace): TakenRow | undefined =>
    at.job.requester === node ? taken.get(at) : undefined

  return {
    offer,
    cancel: async (node: string, message: Message<'cancel'>): Promise<void> => {
      if (own(node, message) !== undefined) {
        tasks.get(message)?.stop.abort(new TaskEnd(undefined, 'Its requester cancelled it.'))
      }
    },
    sample: async (node: string, message: Message<'sample'>): Promise<void> => {
      const { job, attempt, states } = message
      const row = own(node, message)
      const bytes = row && (await blobs.get({ kind: 'inputs', digest: row.offer.offer.inputs }))
      if (row === undefined || bytes === undefined) return refuse(node, message, 'There is no such work.')
      const named = await serveStates(ports, { row, inputs: parseCanonical(bytes), states }, stop)
      say(node, { type: 'samples', job, attempt, states: [...named] })
    },
    published: async (node: string, message: Message<'published'>): Promise<void> => {
      const { place } = message
      if (own(node, message) === undefined) return
      await taken.change(message, (row, tx) => {
        const isOwn = row?.result != null && workDigest(row.result.work.work) === place.work
        if (!isOwn || row.place !== null || place.worker !== ports.nodeId) return undefined
        extendResult(blobs, tx, row, servedUntil(tx.meshTick))
        const { bond } = row.accept.accept
        if (bond !== null) contribution().load(tx, bond, { result: tx.meshTick })
        return { ...row, place, published: tx.meshTick }
      })
    },
    closed: async (node: string, message: Message<'closed'>): Promise<void> => {
      const { close } = message
      if (own(node, message) === undefined) return
      await taken.change(message, (row, tx) => {
        if (row === undefined || row.closed !== null) return undefined
        const work = row.result === null ? null : workDigest(row.result.work.work)
        if (closeFault(close, { audit: row.offer.offer.audit, work }) !== undefined) return undefined
        const { audit } = close.found
        const audited = audit === 'right' || audit === 'wrong' ? 1 : 0
        const [right, wrong] = [audit === 'right' ? 1 : 0, audit === 'wrong' ? 1 : 0]
        if (work !== null) contribution().count(tx, { done: 1, audited, right, wrong })
        return { ...row, closed: close }
      })
    },
    beat: async (node: string, message: Message<'beat'>): Promise<void> => {
      for (const at of message.jobs) {
        if (isLookedAt(at)) continue
        const row = own(node, at)
        if (row === undefined) refuse(node, at, 'This node knows of no such job.')
        else if (row.state !== 'running' || tasks.get(at) === undefined) await again(node, row)
      }
    },
  }
}
