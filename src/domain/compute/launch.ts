import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { JobRow } from '#store/rows/job.ts'
import type { Answers } from './answers.ts'
import type { Jobs, Ready } from './jobs.ts'
import { appliedOf, type Preference, preferenceOf } from './prefer.ts'
import type { Prepared } from './prepared.ts'
import type { ComputeRun, Runner } from './runner.ts'
import type { Computed, ComputePorts, RequestContext, Sealed, Unsealed } from './types.ts'

/** What a stored answer of an Idempotency-Key names. */
const tokenOf = (answer: unknown): string => (answer as { readonly token_id: string }).token_id

/** What must be equal for a second call under one key to be the first one again. */
const requestDigest = ({ inputsDigest, recipe: { publish, asked = inputsDigest } }: Prepared): string =>
  publish === undefined ? asked : digest(purposes.request, { inputs: asked, publish })

/** Why the wait for a result ends when there is one; a reason given saves the exception that would stand for it. */
const DECIDED = 'decided'

interface Collaborators {
  readonly runner: Runner
  readonly jobs: Jobs
  readonly answers: Answers
}

/**
 * The way of a call: replay of a stored answer, hold, run, and then whichever is first: the result, the end of the wait
 * (the call becomes a job), or the client's leaving (the computation ends and costs nothing).
 */
export const createLaunch = (
  { store, economy, options, sleep }: Pick<ComputePorts, 'store' | 'economy' | 'options' | 'sleep'>,
  { runner, jobs, answers }: Collaborators,
) => {
  /** Looks the key up, and takes it. */
  const makeReady = async (
    prepared: Prepared,
    { caller, idempotencyKey }: Pick<RequestContext, 'caller' | 'idempotencyKey'>,
  ): Promise<Ready> => {
    // Sealing waits for the clock, so nothing is computed that could not be sealed.
    if (store.held !== undefined) throw store.held
    if (store.clockBehind) throw new Fault('CLOCK_BEHIND')
    const none = (): void => undefined
    if (idempotencyKey === undefined) {
      return { start: () => runner.start({ prepared, caller, idempotency: undefined }), release: none }
    }
    const scope = `compute.${prepared.scope}`
    const idempotency = await economy.idempotent(caller, scope, idempotencyKey, requestDigest(prepared))
    if (idempotency.kind === 'replay') {
      const recalled = prepared.recall?.(idempotency.answer)
      if (recalled !== undefined) return { start: () => ({ recalled }), release: none }
      const tokenId = tokenOf(idempotency.answer)
      return { start: () => ({ tokenId }), release: none }
    }
    const start = (): ComputeRun => {
      try {
        return runner.start({ prepared, caller, idempotency })
      } catch (refusal) {
        idempotency.release()
        throw refusal
      }
    }
    return { start: start, release: idempotency.release }
  }

  const awaitResult = async (
    run: ComputeRun,
    { signal }: RequestContext,
    waitMs: number,
  ): Promise<Sealed | Unsealed | 'late'> => {
    const over = new AbortController()
    const left = Promise.withResolvers<never>()
    const leave = (): void => {
      run.cancel(signal.reason)
      left.reject(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    const late = sleep(waitMs, over.signal).then(() => 'late' as const)
    try {
      return await Promise.race([run.done, late, left.promise])
    } finally {
      over.abort(DECIDED)
      signal.removeEventListener('abort', leave)
      left.promise.catch(() => undefined)
    }
  }

  const adopt = async (run: ComputeRun, asking: RequestContext, preference: Preference): Promise<Computed> => {
    try {
      return { kind: 'accepted', job: await jobs.adopt(run, asking), applied: appliedOf(preference, run.prepared.away) }
    } catch (refusal) {
      run.cancel(refusal)
      throw refusal
    }
  }

  return {
    async launch(prepared: Prepared, asking: RequestContext): Promise<Computed> {
      const preference = preferenceOf(asking.prefer)
      asking.signal.throwIfAborted()
      const begun = (await makeReady(prepared, asking)).start()
      if ('recalled' in begun) return { ...begun.recalled, replayed: true }
      if ('tokenId' in begun) return { ...(await answers.recall(begun.tokenId)), replayed: true }
      if (preference.async) return adopt(begun, asking, preference)
      // It is on its way to the disk, which nobody's leaving holds up, and which no job would wait for any better.
      if (prepared.atOnce === true && preference.waitMs === undefined && store.held === undefined) return begun.done
      const result = await awaitResult(begun, asking, preference.waitMs ?? options.waitMs)
      return result === 'late' ? adopt(begun, asking, preference) : result
    },
    /** A job's second start, after the node was restarted. */
    relaunch: (prepared: Prepared, { caller, idempotency_key }: JobRow): Promise<Ready> =>
      makeReady(prepared, { caller, idempotencyKey: idempotency_key ?? undefined }),
  }
}
