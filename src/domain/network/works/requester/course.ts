import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { readAccept } from '#core/work/accept.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import type { JobName } from '#core/work/job.ts'
import { readWork, type SignedWork, voidBecause, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import type { ElsewhereOrder } from '#domain/compute/elsewhere.ts'
import type { Checked, Report } from '#domain/compute/task.ts'
import { LOST_TICKS, MS_PER_TICK, SAID_MS_MAX } from '#domain/network/works/limits.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { dossierBytes, servedUntil } from '#domain/network/works/served.ts'
import type { GivenRow } from '#store/works.ts'
import type { GivenJobs } from './given.ts'
import type { Mailbox } from './mailbox.ts'
import { type Offering, offerTo } from './offering.ts'
import type { RequesterPorts } from './types.ts'
import { type VerifiedWork, verifyWork } from './verify.ts'

/** How one attempt at a job ended. */
export type AttemptEnd =
  | { readonly kind: 'accepted'; readonly checked: Checked; readonly row: GivenRow; readonly work: SignedWork }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }

/** One try at a job by one worker. */
export interface JobAttempt {
  readonly order: ElsewhereOrder
  readonly job: JobName
  readonly attempt: number
  readonly worker: string
  readonly mailbox: Mailbox
}

interface Controls {
  readonly signal: AbortSignal
  readonly onReport: (report: Report) => void
}

/** Ends an attempt: nobody is to blame, or nobody can be shown to be. */
class Ended extends Error {
  override readonly name = 'Ended'
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

type Result = Extract<ToldRequester, { readonly type: 'result' }>

/** One attempt under way. */
interface Course {
  readonly ports: RequesterPorts
  readonly given: GivenJobs
  readonly at: JobAttempt
  readonly offering: Offering
  readonly controls: Controls
  /** Says something that nobody waits for. */
  readonly say: (message: AskedOfWorker) => void
}

/** The next thing that the worker says. @throws Ended when it is not heard of any more, or refuses. */
const heard = async ({ at: { mailbox }, controls: { signal } }: Course): Promise<ToldRequester> => {
  const told = await mailbox.next(LOST_TICKS * MS_PER_TICK, signal)
  if (told === undefined) throw new Ended('LOST', 'The worker was not heard of any more.')
  if (told.type === 'refuse') throw new Ended(told.code, told.detail)
  return told
}

/** Waits until the worker has accepted. @throws Ended; Fault for an accept that is none. */
const accepted = async (course: Course): Promise<GivenRow> => {
  const { given, offering, ports } = course
  for (;;) {
    const told = await heard(course)
    if (told.type !== 'accept') continue
    const accept = readAccept(told.accept, offering.offer.offer)
    const { bond } = accept.accept
    // It is judged when the work is: the work need not wait for it.
    if (bond !== null && ports.store.peek('bond', bond) === undefined) void ports.findBond(bond)
    const row = await given.change(offering.key, (it) => it && { ...it, state: 'working', accept })
    if (row === undefined) throw new Ended('FAILED', 'The offer is not there any more.')
    return row
  }
}

/** Waits for the result; what is said of the way there is passed on. @throws Ended */
const resulted = async (course: Course): Promise<{ readonly result: Result; readonly states: string | undefined }> => {
  const { ports, offering, controls } = course
  const started = ports.store.now().instant
  const elapsedMs = (): number => Number((ports.store.now().instant - started) / 1_000_000n)
  controls.onReport({ step: 0, steps: 0, residual: null, elapsedMs: 0 })
  let states: string | undefined
  for (;;) {
    const told = await heard(course)
    if (ports.store.now().meshTick > offering.offer.offer.deadline) throw new Ended('LATE', 'The deadline is over.')
    if (told.type === 'digests') states = told.states
    if (told.type === 'result') return { result: told, states }
    if (told.type !== 'progress') continue
    const { step, steps, residual } = told
    controls.onReport({ step, steps, residual, elapsedMs: elapsedMs() })
  }
}

/** Writes down what was found of a work, in one batch with what is served of it. */
const conclude = (
  { ports: { blobs }, given, offering }: Course,
  work: SignedWork,
  verified: Exclude<VerifiedWork, { readonly kind: 'refused' }>,
): Promise<GivenRow | undefined> =>
  given.change(offering.key, (row, tx) => {
    if (row?.accept == null) return undefined
    const { offer, accept } = row
    const until = servedUntil(offer.offer.deadline + DISPUTE_TICKS)
    blobs.put(tx, { kind: 'dossier', work: workDigest(work.work) }, dossierBytes({ offer, accept, work }), until)
    const found = { ...verified.found }
    if (verified.kind === 'wrong' && verified.before !== undefined) {
      const sha = toHex(sha256(verified.before))
      blobs.put(tx, { kind: 'bytes', sha256: sha }, verified.before, until)
    }
    if (verified.kind === 'right') return { ...row, state: 'accepted', work, found }
    return { ...row, state: 'wrong', work, found, wrong: { segment: verified.segment, own: verified.own } }
  })

const follow = async (course: Course): Promise<AttemptEnd> => {
  const { ports, at, offering, controls, say } = course
  const { offer, q, rate } = offering
  const of = { job: at.job, attempt: at.attempt }
  say({ type: 'offer', offer, inputs: offering.inline as Record<string, unknown> | null })
  await accepted(course)
  const { result, states } = await resulted(course)
  const work = readWork(result.work, at.worker)
  const isVoid = voidBecause(offer.offer, work.work)
  if (isVoid !== undefined) throw new Ended('VOID', isVoid)
  const { order, worker, mailbox } = at
  const ask = (numbers: readonly number[]): void => say({ type: 'sample', ...of, states: [...numbers] })
  const toVerify = { order, q, rate, worker, mailbox, states, result: { ...result, work } }
  const verified = await verifyWork(ports, toVerify, { signal: controls.signal, ask })
  if (verified.kind === 'refused') throw new Ended('REFUSED', verified.detail)
  const row = await conclude(course, work, verified)
  if (row === undefined) throw new Ended('FAILED', 'The job is not there any more.')
  if (verified.kind === 'wrong') return { kind: 'refused', code: 'WRONG', detail: 'The result is wrong.' }
  return { kind: 'accepted', checked: verified.checked, row, work }
}

/**
 * Offers a job to one worker and brings it to its end: accepted, or why not. A worker that is lost, late or refuses
 * leaves nothing behind, here or there.
 *
 * @throws the signal's reason, once the worker was told.
 */
export const attempt = async (
  ports: RequesterPorts,
  given: GivenJobs,
  { at, controls }: { readonly at: JobAttempt; readonly controls: Controls },
): Promise<AttemptEnd> => {
  const offering = await offerTo(ports, given, at)
  const say = (message: AskedOfWorker): void => {
    ports.links.ask(at.worker, message, AbortSignal.timeout(SAID_MS_MAX)).catch((error: unknown) => {
      ports.log.debug({ node: at.worker, type: message.type, error }, 'work_not_said')
    })
  }
  const over = async (code: string, detail: string): Promise<AttemptEnd> => {
    say({ type: 'cancel', job: at.job, attempt: at.attempt })
    const reason = `${code}: ${detail}`.slice(0, 512)
    await given.change(offering.key, (row) =>
      row === undefined || row.found !== null ? undefined : { ...row, state: 'over', reason },
    )
    return { kind: 'refused', code, detail }
  }
  try {
    return await follow({ ports, given, at, offering, controls, say })
  } catch (cause) {
    if (controls.signal.aborted) {
      await over('CANCELLED', 'The job was ended here.')
      throw controls.signal.reason
    }
    if (cause instanceof Ended) return over(cause.code, cause.message)
    if (cause instanceof Fault) return over('FAILED', cause.message)
    throw cause
  }
}
