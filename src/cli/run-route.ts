import type { ResultOf } from '#api/result-of.ts'
import { readBack } from '#core/read-back.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { describeAnswer } from './answer.ts'
import type { Invocation } from './command.ts'
import type { Connection } from './connection.ts'
import { exits } from './exit.ts'
import { assertWritable, writeWhole } from './files.ts'
import { wholeOption } from './input.ts'
import { present, table } from './io.ts'
import { type PlotOrder, plotOrder, savePlot } from './plot-file.ts'
import type { Drawable } from './plot-terminal.ts'
import { CliError, usageError } from './problem.ts'
import { withProgress } from './progress.ts'
import { beginJob, type ComputeAnswer, type FollowedJob, fetchBundle, followJob } from './run-job.ts'
import { type SolverCard, shortAnswer } from './short-answer.ts'

/** A computation by its path and what it is called with. */
export interface RouteCall extends Pick<Connection, 'client' | 'url' | 'key'> {
  readonly path: string
  readonly input: Readonly<Record<string, unknown>>
  /** Where it is wanted to be computed, as `Prefer` says it. */
  readonly prefer?: string
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
const plotFile = ({ io, options }: Invocation): PlotOrder | undefined => {
  const { plot } = options
  const order = typeof plot === 'string' ? plotOrder(plot, options['plotIndex']) : undefined
  if (order?.format !== 'terminal' || !io.json) return order
  throw usageError('a plot in the terminal is no JSON: with --json save it as .svg, .png or .csv')
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
    throw new NodeRefusal({ ...error.problem, detail, token_id: token }, error.url)
  }
}

/** Where a result comes from: the node, and the path or route that computed it. */
interface Origin extends Pick<Connection, 'client' | 'url' | 'key'> {
  readonly path: string
  /** What it was called with, where that is at hand. */
  readonly input?: Readonly<Record<string, unknown>>
}

const SOLVER_PATH = /\/api\/svc\/([a-z0-9-]+)$/

/** What the solver of an answer says of it; undefined for what is none, and where the node does not say. */
const cardOf = async (answer: ComputeAnswer, { client, path }: Origin, signal: AbortSignal) => {
  const { route = path } = (answer['reading'] ?? {}) as { readonly route?: string }
  const [, name] = SOLVER_PATH.exec(route) ?? []
  if (name === undefined || typeof answer['operator_id'] === 'string') return undefined
  try {
    return (await client.call('compute.solver', { name }, { signal })) as SolverCard
  } catch (error) {
    if (error instanceof NodeRefusal) return undefined
    throw error
  }
}

/** A solver's result as it is at hand; undefined where its inputs are not: those of a question are in the bundle. */
const resultOf = (answer: ComputeAnswer, { path, input }: Origin): Drawable | undefined => {
  const [, kind] = SOLVER_PATH.exec(path) ?? []
  const isSolver = kind !== undefined && kind === answer.envelope?.kind
  return isSolver && input !== undefined ? { kind, inputs: input, output: answer } : undefined
}

/** The text of an answer: in short, or with `--full` all of it. */
const textOf = async ({ io, options, signal }: Invocation, answer: ComputeAnswer, origin: Origin): Promise<string> => {
  if (io.json) return ''
  if (options['full'] === true) return describeAnswer(answer)
  const solver = await cardOf(answer, origin, signal)
  // What nobody owns, made with the shared key, is opened by its nonce, and the answer says so.
  const [, nonce] = /[?&]nonce=([0-9a-f]{32})$/.exec(String(answer['bundle'] ?? '')) ?? []
  return shortAnswer(answer, { url: origin.url, solver, columns: io.columns, ...(nonce !== undefined && { nonce }) })
}

/** Who computed what was wanted of the mesh. */
const whereText = ({ claim }: ComputeAnswer): string => {
  const { worker } = (claim ?? {}) as { readonly worker?: { readonly node: string } | null }
  if (worker === null || worker === undefined) return 'no node of the mesh took it: it was computed on your node'
  return `computed by ${worker.node}; checked and sealed by your node`
}

/** What can be done with a sealed result. */
const sayMore = ({ io, options }: Invocation, answer: ComputeAnswer, { bundle, plot }: Wishes): void => {
  if (options['where'] === 'mesh') io.say(whereText(answer))
  const token = answer.envelope?.token_id
  if (plot !== undefined && plot.format !== 'terminal') io.say(`saved ${plot.file}`)
  if (bundle !== undefined) io.say(`saved ${bundle}; verify it with: tickmesh verify ${bundle} --key <whom you trust>`)
  else if (token !== undefined) io.say(`its evidence: tickmesh envelopes bundle ${token}`)
  const isOperator = typeof answer['operator_id'] === 'string'
  if (token !== undefined && plot === undefined && !isOperator) io.say(`its plot: tickmesh envelopes plot ${token} -`)
  if (options['full'] !== true && !io.json) io.say('all of it: the same with --full')
}

/** Shows a result, and saves its bundle when that was asked for. */
const deliver = async (invocation: Invocation, origin: Origin, answer: ComputeAnswer, wishes: Wishes) => {
  const { io, signal } = invocation
  const { client } = origin
  const token = answer.envelope?.token_id
  const { bundle: file, plot } = wishes
  if (token === undefined && (file ?? plot) !== undefined) {
    throw new CliError(exits.failure, 'this answer has no envelope', { code: 'NOT_SEALED' })
  }
  const drawn = plot?.format === 'terminal'
  if (plot !== undefined && token !== undefined && !drawn) {
    await afterSeal(token, savePlot(client, token, plot, signal))
  }
  if (file !== undefined && token !== undefined) {
    io.say('waiting for the checkpoint of this tick …')
    writeWhole(file, `${JSON.stringify(await afterSeal(token, fetchBundle(client, token, signal)))}\n`)
  }
  const text = await textOf(invocation, answer, origin)
  if (plot !== undefined && token !== undefined && drawn) {
    const { drawInTerminal } = await import('./plot-terminal.ts')
    const result = resultOf(answer, origin)
    const order = { token, index: plot.index, signal, ...(result !== undefined && { result }) }
    await afterSeal(token, drawInTerminal(io, client, order))
  }
  present(io, { ok: true, answer, bundle: file ?? null, plot: plot?.file ?? null }, () => text)
  sayMore(invocation, answer, wishes)
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
    return job === undefined ? deliver(invocation, call, answer, wishes) : detached(invocation, job)
  }
  const answer = await withProgress(io, async (tell) => {
    const begun = await beginJob(order)
    if (begun.job === undefined) return begun.answer
    return followJob(begun.job, { client, signal, tell, cancels: true, ...limit })
  })
  return deliver(invocation, call, answer, wishes)
}

/** Comes back to a job and follows it to its end; an interruption leaves it running. */
export const rejoin = async (
  invocation: Invocation,
  to: Pick<Connection, 'client' | 'url' | 'key'>,
  job: FollowedJob,
): Promise<number> => {
  const { io, signal } = invocation
  const wishes = wishesOf(invocation)
  const limit = waitOf(invocation)
  const answer = await withProgress(io, (tell) =>
    followJob(job, { client: to.client, signal, tell, cancels: false, ...limit }),
  )
  return deliver(invocation, { ...to, path: job.route }, answer, wishes)
}
