import { parseCanonical } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { closeFault } from '#core/work/audit.ts'
import { workDigest } from '#core/work/work.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import type { TakenRow } from '#store/works.ts'
import type { OfferRefusal } from './admit.ts'
import { createDoing } from './doing.ts'
import { createOffers } from './offers.ts'
import type { Publication } from './publication.ts'
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
  readonly publication: Publication
}

/** Offers whose inputs are looked at at once, and states that one job is asked for in samples in all. */
const LOOKED_AT_MAX = 16
const SAMPLED_MAX = 128

/** Takes offers, and says again how a job stands. */
const createTaking = (ports: WorkerPorts, room: WorkerRoom) => {
  const { taken, tasks, say, stop } = room
  const takeOffer = createOffers(ports, room)
  const { run, tellResult } = createDoing(ports, room)

  const refuse = (
    node: string,
    { job, attempt }: TakenPlace,
    { code = 'FAILED', detail }: { readonly code?: OfferRefusal['code']; readonly detail: string },
  ): void => say(node, { type: 'refuse', job, attempt, code, detail: detail.slice(0, 512).toWellFormed() })

  /** What a requester is told of a job that it still waits for. */
  const again = async (node: string, row: TakenRow): Promise<void> => {
    if (row.state === 'over') return refuse(node, row.offer.offer, { detail: row.reason ?? 'It was ended.' })
    if (row.state === 'done') return tellResult(node, row)
    if (tasks.get(row.offer.offer) !== undefined) return
    const reason = 'The worker was restarted.'
    await taken.change(row.offer.offer, (it) =>
      it?.state === 'running' ? { ...it, state: 'over', reason } : undefined,
    )
    refuse(node, row.offer.offer, { detail: reason })
  }

  /** Offers that are looked at, and who made them: of these there is no row yet. */
  const looking = new Map<string, TakenPlace & { readonly node: string }>()

  return {
    refuse,
    again,
    lookedAt: (): readonly (TakenPlace & { readonly node: string })[] => [...looking.values()],
    isLookedAt: (at: TakenPlace): boolean => looking.has(takenKey(at)),
    offer: async (node: string, message: Message<'offer'>): Promise<void> => {
      const { job, attempt } = message.offer.offer
      const key = takenKey({ job, attempt })
      if (looking.has(key)) return
      if (looking.size >= LOOKED_AT_MAX) {
        return refuse(node, { job, attempt }, { code: 'BUSY', detail: 'Too many offers are looked at.' })
      }
      looking.set(key, { job, attempt, node })
      try {
        const outcome = await takeOffer(node, message, stop)
        looking.delete(key)
        if (outcome.kind === 'refused') return refuse(node, { job, attempt }, outcome.refusal)
        say(node, { type: 'accept', job, attempt, accept: outcome.row.accept })
        if (outcome.kind === 'known') return await again(node, outcome.row)
        const task = tasks.get(outcome.row.offer.offer)
        if (task !== undefined) await run(outcome.row, outcome.inputs, task)
      } catch (cause) {
        if (!(cause instanceof Fault)) throw cause
        refuse(node, { job, attempt }, { code: 'UNFIT', detail: cause.message })
      } finally {
        looking.delete(key)
      }
    },
  }
}

/** What each message of a requester comes to. All of it may come twice. */
export const createAnswers = (ports: WorkerPorts, room: WorkerRoom) => {
  const { blobs, contribution } = ports
  const { taken, tasks, say, stop, publication } = room
  const { offer, refuse, again, isLookedAt, lookedAt } = createTaking(ports, room)
  /** How many states were asked for, by job: each costs a part of its run. */
  const sampled = new Map<string, number>()

  /** The job of a message, if its sender is its requester. */
  const own = (node: string, at: TakenPlace): TakenRow | undefined =>
    at.job.requester === node ? taken.get(at) : undefined

  /** States that samples ask for. @throws Fault where a job has none to give, or gave enough */
  const samplesOf = async (row: TakenRow, message: Message<'sample'>) => {
    const key = takenKey(message)
    const asked = (sampled.get(key) ?? 0) + message.states.length
    if (row.result === null || row.closed !== null) throw new Fault('NOT_FOUND', 'No samples are given of it now.')
    if (asked > SAMPLED_MAX) throw new Fault('RATE_LIMITED', 'It was sampled often enough.')
    sampled.set(key, asked)
    const bytes = await blobs.get({ kind: 'inputs', digest: row.offer.offer.inputs })
    if (bytes === undefined) throw new Fault('NOT_FOUND', 'Its inputs are not here any more.')
    return serveStates(ports, { row, inputs: parseCanonical(bytes), states: message.states }, stop)
  }

  const answers = {
    offer,
    cancel: async (node: string, message: Message<'cancel'>): Promise<void> => {
      if (own(node, message) !== undefined) {
        tasks.get(message)?.stop.abort(new TaskEnd(undefined, 'Its requester cancelled it.'))
      }
    },
    sample: async (node: string, message: Message<'sample'>): Promise<void> => {
      const { job, attempt } = message
      const row = own(node, message)
      if (row === undefined) return refuse(node, message, { detail: 'There is no such work.' })
      try {
        say(node, { type: 'samples', job, attempt, states: [...(await samplesOf(row, message))] })
      } catch (cause) {
        if (stop.aborted) throw cause
        // Silence would look like somebody who withholds.
        refuse(node, message, { detail: cause instanceof Fault ? cause.message : 'The states could not be made.' })
        if (!(cause instanceof Fault)) throw cause
      }
    },
    published: async (node: string, message: Message<'published'>): Promise<void> => {
      if (own(node, message) !== undefined) await publication.said(message, message.place)
    },
    closed: async (node: string, message: Message<'closed'>): Promise<void> => {
      const { close } = message
      if (own(node, message) === undefined) return
      sampled.delete(takenKey(message))
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
        if (row === undefined) refuse(node, at, { detail: 'This node knows of no such job.' })
        else if (row.state !== 'running' || tasks.get(at) === undefined) await again(node, row)
      }
    },
  }
  return { answers, lookedAt }
}
