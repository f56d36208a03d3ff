import { fromBase64, toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { readAccept } from '#core/work/accept.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import type { JobName } from '#core/work/job.ts'
import { readWork, type SignedWork, voidBecause, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import type { ElsewhereOrder } from '#domain/compute/elsewhere.ts'
import type { Checked, Report } from '#domain/compute/task.ts'
import { LOST_TICKS } from '#domain/network/works/limits.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { dossierBytes, servedUntil } from '#domain/network/works/served.ts'
import type { GivenRow } from '#store/works.ts'
import { countWorker, type GivenJobs } from './given.ts'
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

/** Ends that count against a worker which had accepted: it gave its word, and no blame is claimed. */
const atFault: ReadonlySet<string> = new Set(['LOST', 'LATE', 'VOID', 'REFUSED', 'FAILED'])

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

/** The next thing that the worker says. @throws Ended when it is not heard of any more, is late, or refuses. */
const heard = async ({ at: { mailbox }, controls: { signal }, ports, offering }: Course): Promise<ToldRequester> => {
  const { deadline } = offering.offer.offer
  const lost = ports.store.now().meshTick + LOST_TICKS
  const told = await mailbox.next(Math.min(lost, deadline), signal)
  if (told === undefined && deadline <= lost) throw new Ended('LATE', 'The deadline is over.')
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

/**
 * Waits for the result, and for the digests of its states where it has some: after a break they may come in any order.
 * What is said of the way there is passed on.
 *
 * @throws Ended
 */
const resulted = async (course: Course): Promise<{ readonly result: Result; readonly states: string | undefined }> => {
  const { ports, controls } = course
  const started = ports.store.now().instant
  const elapsedMs = (): number => Number((ports.store.now().instant - started) / 1_000_000n)
  controls.onReport({ step: 0, steps: 0, residual: null, elapsedMs: 0 })
  let [result, states]: [Result | undefined, string | undefined] = [undefined, undefined]
  for (;;) {
    const told = await heard(course)
    if (told.type === 'digests') states = told.states
    if (told.type === 'result') result = told
    const isWhole = result !== undefined && (result.work.work.steps === null || states !== undefined)
    if (result !== undefined && isWhole) return { result, states }
    if (told.type !== 'progress') continue
    const { step, steps, residual } = told
    controls.onReport({ step, steps, residual, elapsedMs: elapsedMs() })
  }
}

/** Writes down what was found of a work, in one batch with what is served of it. */
const conclude = (
  { ports: { blobs }, given, offering, at: { worker } }: Course,
  { work, states }: { readonly work: SignedWork; readonly states: string | undefined },
  verified: Exclude<VerifiedWork, { readonly kind: 'refused' }>,
): Promise<GivenRow | undefined> =>
  given.change(offering.key, (row, tx) => {
    if (row?.accept == null) return undefined
    const { offer, accept } = row
    const until = servedUntil(offer.offer.deadline + DISPUTE_TICKS)
    blobs.put(tx, { kind: 'dossier', work: workDigest(work.work) }, dossierBytes({ offer, accept, work }), until)
    const found = { ...verified.found }
    // Held against the root of the work before: a worker that falls silent escapes nothing.
    if (work.work.steps !== null && states !== undefined) {
      blobs.put(tx, { kind: 'states', root: work.work.steps.root }, fromBase64(states), until)
    }
    const { before, records } = verified.kind === 'wrong' ? verified : {}
    if (before !== undefined) blobs.put(tx, { kind: 'bytes', sha256: toHex(sha256(before)) }, before, until)
    if (records !== undefined) blobs.put(tx, { kind: 'records', work: workDigest(work.work) }, records, until)
    const isWhole = work.work.steps === null && found.audit === 'right'
    countWorker(tx, worker, { [verified.kind]: 1, ...(isWhole && { v: 1 }) })
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
  const row = await conclude(course, { work, states }, verified)
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
  { at, controls, say, twice }: Pick<Course, 'at' | 'controls' | 'say'> & { readonly twice: AbortSignal },
): Promise<AttemptEnd> => {
  const offering = await offerTo(ports, given, at)
  const over = async (code: string, detail: string): Promise<AttemptEnd> => {
    say({ type: 'cancel', job: at.job, attempt: at.attempt })
    const reason = `${code}: ${detail}`.slice(0, 512)
    await given.change(offering.key, (row, tx) => {
      if (row === undefined || row.found !== null) return undefined
      // Two works for one job are signed by one key: whoever does that is asked for nothing more.
      if (code === 'TWO_ANSWERS') countWorker(tx, at.worker, { wrong: 1 })
      else if (row.accept !== null && atFault.has(code)) countWorker(tx, at.worker, { lost: 1 })
      return { ...row, state: 'over', reason }
    })
    return { kind: 'refused', code, detail }
  }
  try {
    const signal = AbortSignal.any([controls.signal, twice])
    return await follow({ ports, given, at, offering, say, controls: { ...controls, signal } })
  } catch (cause) {
    if (controls.signal.aborted) {
      await over('CANCELLED', 'The job was ended here.')
      throw controls.signal.reason
    }
    if (twice.aborted) return over('TWO_ANSWERS', 'The worker signed two works for one job.')
    if (cause instanceof Ended) return over(cause.code, cause.message)
    if (cause instanceof Fault) return over('FAILED', cause.message)
    throw cause
  }
}
