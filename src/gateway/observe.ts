import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { Fault } from '#core/fault.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { MS_PER_SECOND, msOf } from '#core/time.ts'
import type { Audit } from './audit.ts'
import { refusedHeaders } from './limits.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/** Calls whose answer has not gone out whole. */
export interface Counted {
  calls: number
  /** Called whenever none is left. */
  onIdle: () => void
  /** By connection, the newest answer on it. */
  readonly bySocket: WeakMap<Duplex, ServerResponse>
}

/** What is known of a call so far, for the lines and counts that tell of it. */
export interface CallState {
  /** The request's id: stands in `X-Request-Id`, in the log, and in `instance` of a problem. */
  readonly id: string
  /** Address bucket of the client, once it was looked at. */
  bucket: string
  /** The endpoint's id, once it was found. */
  endpoint?: string
  /** The template that fitted, `/api/x/{id}`: never the path as it was asked for. */
  route?: string
  /** What a person sees in place of a refusal, where the endpoint has a page for it. */
  refusalPage?: string | undefined
}

/** Where the state of a call stands. */
export const stateOf = (ctx: Context): CallState => ctx.state as CallState

interface Observing {
  readonly log: Log
  readonly meter: Meter
  readonly audit: Audit
  readonly counted: Counted
  readonly stopping: AbortSignal
}

/** How a call counts whose caller did not wait for the answer: no status of HTTP says it. */
const LEFT = '499'
const SERVER_ERROR = 500

/** A browser asks for a page before anything else; every other caller gets the problem document. */
const wantsPage = (ctx: Context): boolean => ctx.accepts(PROBLEM_TYPE, 'application/json', 'text/html') === 'text/html'

/** Answers a throw with its problem document, or with the page that the endpoint has for people. */
const answerProblem = (ctx: Context, thrown: unknown, left: boolean, { log, stopping }: Observing): void => {
  const { id, route, refusalPage } = stateOf(ctx)
  const { problem, headers } = toProblem(thrown, id)
  // What a call ends with because its caller went away is heard by nobody and says nothing about the node.
  if (problem.code === 'INTERNAL' && !left)
    log.error({ error: thrown, request: id, instance: problem.instance, route }, 'call_failed')
  ctx.set({ ...headers, ...(thrown instanceof Fault ? refusedHeaders(thrown.details) : {}) })
  if (thrown instanceof Fault && Array.isArray(thrown.details['allow'])) {
    ctx.set('Allow', thrown.details['allow'].join(', '))
  }
  // What is left of a body that nobody will read must not be taken for the next call.
  if (!ctx.req.complete || stopping.aborted) ctx.set('Connection', 'close')
  ctx.status = problem.status
  // What may be tried again is told as it is.
  const page = problem.code === 'INTERNAL' || problem.retryable || !wantsPage(ctx) ? undefined : refusalPage
  ctx.body = page ?? JSON.stringify(problem)
  ctx.type = page === undefined ? PROBLEM_TYPE : 'text/html; charset=utf-8'
}

/**
 * Outermost: names, counts and times each call, turns every throw into a problem document, and logs one line at debug
 * level, at warn where the node could not do its part. The line has the route's template, never a path, query or body.
 */
export const observe = (observing: Observing): Middleware => {
  const { log, meter, audit, counted, stopping } = observing
  return async (ctx, next) => {
    const began = process.hrtime.bigint()
    let left = false
    const state: CallState = { id: randomUUID(), bucket: '' }
    ctx.state = state
    ctx.set('X-Request-Id', state.id)
    counted.calls++
    counted.bySocket.set(ctx.req.socket, ctx.res)
    ctx.res.once('close', () => {
      left = !ctx.res.writableFinished
      counted.calls--
      if (counted.calls === 0) counted.onIdle()
    })
    try {
      if (stopping.aborted) throw new Fault('NODE_STOPPING')
      await next()
    } catch (thrown) {
      const { id, bucket, endpoint = 'none' } = state
      if (thrown instanceof Fault) audit.refused(thrown.code, { id, bucket, endpoint })
      answerProblem(ctx, thrown, left, observing)
    } finally {
      const { id, endpoint = 'none', route = 'none' } = state
      const ms = msOf(process.hrtime.bigint() - began)
      const status = left ? LEFT : String(ctx.status)
      meter.count('http_requests_total', { endpoint, status })
      if (ctx.respond !== false) meter.observe('http_seconds', ms / MS_PER_SECOND, { endpoint })
      const line = { request: id, method: ctx.method, route, status: Number(status), ms }
      if (Number(status) >= SERVER_ERROR) log.warn(line, 'call')
      else log.debug(line, 'call')
    }
  }
}
