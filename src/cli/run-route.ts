import type { ResultOf } from '#api/result-of.ts'
import { readBack } from '#core/read-back.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { describeAnswer } from './answer.ts'
import type { Invocation } from './command.ts'
import { exits } from './exit.ts'
import { assertWritable, writeWhole } from './files.ts'
import { wholeOption } from './input.ts'
import { present, table } from './io.ts'
import { type PlotOrder, plotOrder, savePlot } from './plot-file.ts'
import { CliError, usageError } from './problem.ts'
import { withProgress } from './progress.ts'
import { beginJob, type ComputeAnswer, type FollowedJob, fetchBundle, followJob } from './run-job.ts'

/** A computation by its path and what it is called with. */
export interface RouteCall {
  readonly client: Client
  readonly path: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Longest wait that may be asked for: what a timer can hold. */
const WAIT_SECONDS_MAX = 2_147_483

/** How long a run takes, as a quote foresees it. */
const expectedText = ({ expected_seconds: seconds, expected_range: range }: ResultOf<'compute.quote'>): string =>
  range === null ? `${seconds.toPrecision(2)} s` : `${range.map((it) => it.toPrecision(2)).join(' to ')} s`

const quote = async ({ io, signal }: Invocation, { client, path, input }: RouteCall): Promise<number> => {
  const answer = await client.call('compute.quote', { route: `POST ${path}`, input }, { signal })
  present(io, answer, () =>
    table([
      ['price', `${answer.price} credits`],
      ['operators', answer.operators.join(', ')],
      ['work', `${answer.work} units of about 1e6 operations; you may ask for ${answer.work_limit}`],
      ['expected', expectedText(answer)],
      ...(answer.reading === undefined ? [] : [['reading', readBack(answer.reading)]]),
    ]),
  )
  return exits.ok
}

/** The file of `--bundle`, which must be one that can be written: a result that cannot be saved costs the same. */
const bundleFile = ({ options: { bundle } }: Invocation): string | undefined => {
  if (typeof bundle !== 'string') return undefined
  assertWritable(bundle)
  return bundle
}

/** A plot that is to be saved, and what it is saved as. */
const plotFile = ({ options }: Invocation): PlotOrder | undefined => {
  const { plot } = options
  return typeof plot === 'string' ? plotOrder(plot, options['plotIndex']) : undefined
}

/** What of a result is to be saved. */
interface Wishes {
  readonly bundle: string | undefined
  readonly plot: PlotOrder | undefined
}

const wishesOf = (invocation: Invocation): Wishes => ({ bundle: bundleFile(invocation), plot: plotFile(invocation) })

const waitOf = ({ options }: Invocation): { readonly waitMs?: number } => {
  const seconds = wholeOption(options['wait'], '--wait')
  if (seconds === undefined) return {}
  if (seconds > WAIT_SECONDS_MAX) throw usageError(`--wait takes at most ${WAIT_SECONDS_MAX} seconds`)
  return { waitMs: seconds * MS_PER_SECOND }
}

/** What is refused after the seal was charged for all the same: whoever asked is told of the envelope. */
const afterSeal = async <T>(token: string, saving: Promise<T>): Promise<T> => {
  try {
    return await saving
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    const detail = `${error.message} The result is sealed as ${token}.`
    throw new NodeRefusal({ ...error.problem, detail, token_id: token })
  }
}

/** Shows a result, and saves its bundle when that was asked for. */
const deliver = async ({ io, signal }: Invocation, client: Client, answer: ComputeAnswer, wishes: Wishes) => {
  const token = answer.envelope?.token_id
  const { bundle: file, plot } = wishes
  if (token === undefined && (file ?? plot) !== undefined) {
    throw new CliError(exits.failure, 'this answer has no envelope', { code: 'NOT_SEALED' })
  }
  if (plot !== undefined && token !== undefined) await afterSeal(token, savePlot(client, token, plot, signal))
  if (file !== undefined && token !== undefined) {
    io.say('waiting for the checkpoint of this tick …')
    writeWhole(file, `${JSON.stringify(await afterSeal(token, fetchBundle(client, token, signal)))}\n`)
  }
  present(io, { ok: true, answer, bundle: file ?? null, plot: plot?.file ?? null }, () => describeAnswer(answer))
  if (plot !== undefined) io.say(`saved ${plot.file}`)
  if (file !== undefined) io.say(`saved ${file}; verify it with: tickmesh verify ${file} --key <whom you trust>`)
  else if (token !== undefined) io.say(`its evidence: tickmesh envelopes bundle ${token}`)
  return exits.ok
}

const detached = ({ io }: Invocation, job: FollowedJob): number => {
  present(io, { ok: true, job }, () => job.id)
  io.say(`the job runs on the node; come back to it with: tickmesh jobs wait ${job.id}`)
  return exits.ok
}

/** Runs a compute route as a job, with a progress line, and saves its bundle when that was asked for. */
export const runRoute = async (invocation: Invocation, call: RouteCall): Promise<number> => {
  const { io, signal, options } = invocation
  const { client } = call
  const { quote: asks, detach, idempotencyKey: named } = options
  if (asks === true) return quote(invocation, call)
  const wishes = wishesOf(invocation)
  const limit = waitOf(invocation)
  if (detach === true && (wishes.bundle ?? wishes.plot ?? limit.waitMs) !== undefined) {
    throw usageError('--detach waits for nothing: --bundle, --plot and --wait go with `tickmesh jobs wait`')
  }
  signal.throwIfAborted()
  const order = { ...call, ...(typeof named === 'string' && { idempotencyKey: named }) }
  if (detach === true) {
    const { job, answer } = await beginJob(order)
    return job === undefined ? deliver(invocation, client, answer, wishes) : detached(invocation, job)
  }
  const answer = await withProgress(io, async (tell) => {
    const begun = await beginJob(order)
    if (begun.job === undefined) return begun.answer
    return followJob(begun.job, { client, signal, tell, cancels: true, ...limit })
  })
  return deliver(invocation, client, answer, wishes)
}

/** Comes back to a job and follows it to its end; an interruption leaves it running. */
export const rejoin = async (invocation: Invocation, client: Client, job: FollowedJob): Promise<number> => {
  const { io, signal } = invocation
  const wishes = wishesOf(invocation)
  const limit = waitOf(invocation)
  const answer = await withProgress(io, (tell) => followJob(job, { client, signal, tell, cancels: false, ...limit }))
  return deliver(invocation, client, answer, wishes)
}
