import { fromBase64, toHex } from '#core/bytes.ts'
import type { Steps } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { STATE_DIGEST_BYTES, stateDigestAt } from '#core/states.ts'
import { isAudited, type JobClosed } from '#core/work/audit.ts'
import { estimateTicks } from '#core/work/estimate.ts'
import { saidOf } from '#core/work/said.ts'
import { sampledSegments, sampleTicks } from '#core/work/samples.ts'
import { boundsOf, firstDifference, type SegmentName, segmentPlan, stepsOf } from '#core/work/segments.ts'
import { outcomeDigest, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import type { ElsewhereOrder } from '#domain/compute/elsewhere.ts'
import type { Checked } from '#domain/compute/task.ts'
import type { ToldRequester } from '#domain/network/works/messages.ts'
import { endOf, partOf, stateAt, stateOf } from '#domain/network/works/parts.ts'
import type { Mailbox } from './mailbox.ts'
import type { RequesterPorts } from './types.ts'

type Result = Extract<ToldRequester, { readonly type: 'result' }>

/** A result that came, and what it is held against. */
export interface ToVerify {
  readonly order: ElsewhereOrder
  readonly q: string
  readonly rate: number
  readonly worker: string
  readonly result: Result
  /** Base64 of the digests of the states, where they came. */
  readonly states: string | undefined
  readonly mailbox: Mailbox
}

/** Where a run differs, and what this node has there. */
interface Difference {
  readonly segment: SegmentName
  readonly own: string
  /** The state that both agree on, where the segment begins with one: whoever disputes a work shows it. */
  readonly before?: Uint8Array
  /** What its end was worked out from, where it differs there: its worker may fall silent. */
  readonly records?: Uint8Array
}

/** What came of it: what was found, and the result where it stands; where it differs, if it does. */
export type VerifiedWork =
  | { readonly kind: 'right'; readonly checked: Checked; readonly found: JobClosed['found'] }
  | ({ readonly kind: 'wrong'; readonly found: JobClosed['found'] } & Difference)
  /** What a check needs did not come, or is no data of such a run. */
  | { readonly kind: 'refused'; readonly detail: string }

/** Ends a check: what it needs is not there. */
class Missing extends Error {}

const nameOf = (bytes: Uint8Array): string => toHex(sha256(bytes))

/** Digests of the states of a run, held against the root of its work. @throws Missing */
const digestsOf = ({ order, states, result }: ToVerify): readonly string[] => {
  const steps = result.work.work.steps as Steps | null
  if (states === undefined || steps === null || order.steps === null) throw new Missing('The digests did not come.')
  const bytes = fromBase64(states)
  const plan = segmentPlan(order.steps)
  if (bytes.length !== plan.count * STATE_DIGEST_BYTES) throw new Missing('There are not as many digests as states.')
  const digests = Array.from({ length: plan.count }, (_, i) => toHex(stateDigestAt(bytes, i)))
  const { root, every, count } = stepsOf(order.inputsDigest, plan, digests)
  if (root !== steps.root || every !== steps.every || count !== steps.count) {
    throw new Missing('The digests are not those of the work.')
  }
  return digests
}

/** One check of one result. */
interface Verifying {
  readonly ports: Pick<RequesterPorts, 'store' | 'parts' | 'blobs' | 'samples'>
  readonly it: ToVerify
  readonly signal: AbortSignal
  /** Asks the worker for states. */
  readonly ask: (states: readonly number[]) => void
  /** Digests of the states; undefined of a run that does not step. */
  readonly digests: readonly string[] | undefined
}

const pulled = async ({ ports: { blobs }, it, signal }: Verifying, sha: string | null): Promise<Uint8Array> => {
  const name = { kind: 'bytes', sha256: sha ?? '' } as const
  const bytes = sha === null ? undefined : await blobs.pull(name, [it.worker], { signal })
  if (bytes === undefined) throw new Missing('What a check needs could not be had.')
  return bytes
}

/** Has the worker serve the states that sampled segments begin with. @throws Missing */
const served = async (
  { ports: { store }, it: { order, mailbox }, signal, ask }: Verifying,
  states: readonly number[],
): Promise<void> => {
  if (states.length === 0) return
  ask(states)
  // One end for all of it: a worker that says something else in between gains no time.
  const until = store.now().meshTick + sampleTicks(estimateTicks(order.workUnits))
  for (;;) {
    const told = await mailbox.next(until, signal)
    if (told === undefined || told.type === 'refuse') throw new Missing('The samples did not come in time.')
    if (told.type === 'samples') return
  }
}

const sampleAll = async (of: Verifying, segments: readonly SegmentName[]): Promise<Difference | undefined> => {
  const { ports, it, signal, digests = [] } = of
  const numbers = segments.filter((segment) => typeof segment === 'number')
  await served(of, numbers)
  const first = nameOf(await stateOf(ports.parts, it.order, { part: { kind: 'init' }, signal }))
  if (first !== digests[0]) return { segment: 'init', own: first }
  for (const index of numbers) {
    const bytes = await pulled(of, digests[index] ?? null)
    const after = nameOf(await stateOf(ports.parts, it.order, { part: { kind: 'segment', index, bytes }, signal }))
    if (after !== digests[index + 1]) return { segment: index, own: after, before: bytes }
  }
  return undefined
}

/** What the run ends with, by this node's own check. */
const ended = async (of: Verifying): Promise<{ readonly checked: Checked; readonly records?: Uint8Array }> => {
  const { ports, it, signal, digests } = of
  if (digests === undefined) {
    const outcome = await pulled(of, it.result.outcome)
    return { checked: await endOf(ports.parts, it.order, { part: { kind: 'check', outcome }, signal }) }
  }
  const bytes = await pulled(of, digests.at(-1) ?? null)
  const named = { kind: 'records', work: workDigest(it.result.work.work) } as const
  const records = await ports.blobs.pull(named, [it.worker], { signal })
  if (records === undefined) throw new Missing('The records could not be had.')
  return { checked: await endOf(ports.parts, it.order, { part: { kind: 'finish', bytes, records }, signal }), records }
}

/** Does the whole run again. */
const audit = async ({ ports, it, signal, digests }: Verifying): Promise<Difference | undefined> => {
  const whole = await partOf(ports.parts, it.order, { part: { kind: 'all' }, signal })
  if (whole.kind !== 'whole' || whole.checked.reality === null) throw new Missing('The run could not be done again.')
  const own = outcomeDigest(saidOf(whole.checked))
  const states = digests?.map((_, i) => toHex(stateDigestAt(whole.states, i))) ?? null
  const theirs = { states: digests ?? null, outcome: outcomeDigest(it.result.work.work) }
  const segment = firstDifference({ states, outcome: own }, theirs)
  if (segment === undefined) return undefined
  const at = boundsOf(digests?.length ?? 0, segment)
  const found = { segment, own: at.after === null ? own : (states?.[at.after] ?? own) }
  if (at.before === null) return found
  const { kept } = whole
  return { ...found, before: await stateAt(ports.parts, it.order, { i: at.before, kept, signal }) }
}

const verified = async (of: Verifying, audited: boolean): Promise<VerifiedWork> => {
  const { it, digests, ports } = of
  const { work } = it.result.work
  const k = digests === undefined ? 0 : digests.length - 1
  const segments =
    digests === undefined || audited ? [] : sampledSegments(it.q, workDigest(work), { m: ports.samples, k })
  const samples = segments.filter((segment) => typeof segment === 'number').length
  const differs = audited ? await audit(of) : segments.length > 0 ? await sampleAll(of, segments) : undefined
  const found = { audit: audited ? (differs ? 'wrong' : 'right') : 'not_audited', samples, of: k } as const
  if (differs !== undefined) return { kind: 'wrong', ...differs, found }
  const { checked, records } = await ended(of)
  const own = outcomeDigest(saidOf(checked))
  if (own === outcomeDigest(work)) return { kind: 'right', checked: { ...checked, steps: work.steps }, found }
  // Of a run that does not step the outcome is its worker's own word: another one shows no error of the run.
  if (digests === undefined || audited)
    return { kind: 'refused', detail: 'The outcome is not the one that was signed.' }
  const before = await pulled(of, digests.at(-1) ?? null)
  return { kind: 'wrong', segment: 'finish', own, found, before, ...(records !== undefined && { records }) }
}

/**
 * Samples or audits what a worker says that it computed, and has its end checked here. Nothing of it is believed.
 *
 * @throws the signal's reason; whatever is no refusal of a check.
 */
export const verifyWork = async (
  ports: Verifying['ports'],
  it: ToVerify,
  { signal, ask }: Pick<Verifying, 'signal' | 'ask'>,
): Promise<VerifiedWork> => {
  const { work } = it.result.work
  try {
    const digests = work.steps === null && it.order.steps === null ? undefined : digestsOf(it)
    return await verified({ ports, it, signal, ask, digests }, isAudited(it.q, it.rate, workDigest(work)))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof Missing || cause instanceof Fault) return { kind: 'refused', detail: cause.message }
    throw cause
  }
}
