import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { underway } from '#core/underway.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { randomBytes } from '#crypto'
import type { ElsewhereOrder } from '#domain/compute/elsewhere.ts'
import { BEAT_EVERY, SAID_MS_MAX } from '#domain/network/works/limits.ts'
import type { AskedOfWorker } from '#domain/network/works/messages.ts'
import { GIVEN_ROWS_MAX } from '#store/works.ts'
import { chosen, type WorkerCandidate } from './choice.ts'
import { attempt } from './course.ts'
import { type Courses, createCourses, type SayToWorker } from './courses.ts'
import { createGiven, type GivenJobs, givenKey } from './given.ts'
import { publishDue } from './publish.ts'
import { createTelling } from './telling.ts'
import type { Requester, RequesterPorts } from './types.ts'

/** Workers that a job is offered to, one after another. */
const ATTEMPTS_MAX = 8
/** Beats between two looks for rows that are over, and ticks after which a row is. */
const SWEEP_EVERY_BEATS = 640
const KEPT_TICKS = 2 * (DISPUTE_TICKS + SERVE_TICKS)
const RANDOM_BYTES = 16

/** Whom to offer a job, best first. */
const candidatesOf = (
  { peers, kernels }: Pick<RequesterPorts, 'peers' | 'kernels'>,
  given: GivenJobs,
  courses: Courses['all'],
): readonly WorkerCandidate[] =>
  chosen(
    peers()
      .filter((it) => it.connected && it.mode === 'contributing' && it.kernels === kernels)
      .map(({ node, rtt_ms: rtt }) => ({
        ...{ node, rttMs: rtt ?? undefined, ...given.recordOf(node) },
        busy: [...courses.values()].filter(({ worker }) => worker === node).length,
      })),
  )

/** Offers a job to one worker after another, best first. @throws Fault NO_WORKER, BOND_FULL; the signal's reason */
const runElsewhere = async (
  ports: RequesterPorts,
  { given, courses, say }: { given: GivenJobs; courses: Courses; say: SayToWorker },
  { order, ...controls }: { readonly order: ElsewhereOrder } & Parameters<Requester['run']>[1],
): ReturnType<Requester['run']> => {
  const job = { requester: ports.nodeId, random: toHex(randomBytes(RANDOM_BYTES)) }
  const tried = new Map<string, string>()
  for (let n = 0; n < ATTEMPTS_MAX; n += 1) {
    controls.signal.throwIfAborted()
    const next = candidatesOf(ports, given, courses.all).find(({ node }) => !tried.has(node))
    if (next === undefined || given.all.size >= GIVEN_ROWS_MAX) break
    const { node: worker } = next
    const end = await courses.during({ job, attempt: n, worker }, ({ mailbox, twice }) =>
      attempt(ports, given, {
        at: { order, job, attempt: n, worker, mailbox },
        controls,
        twice: twice.signal,
        say: (message) => say(worker, message),
      }),
    )
    if (end.kind === 'accepted') {
      const { samples, of, audit } = end.row.found ?? { samples: 0, of: 0, audit: 'not_audited' }
      const assurance = { samples, of, rate: end.row.rate, audited: audit === 'right' }
      return { ...end.checked, contributed: { node: worker, work: end.work, assurance } }
    }
    tried.set(worker, end.code)
  }
  const isFull = tried.size > 0 && [...tried.values()].every((code) => code === 'BOND_FULL')
  throw new Fault(isFull ? 'BOND_FULL' : 'NO_WORKER', undefined, { tried: tried.size })
}

/** Jobs of before the restart that had no result come to nothing; what was found is published yet. */
const loadGiven = async (given: GivenJobs): Promise<void> => {
  await given.load()
  for (const [key, { state }] of given.all) {
    if (state !== 'offered' && state !== 'working') continue
    const reason = 'LOST: The node was restarted.'
    await given.change(key, (row) => (row?.state === state ? { ...row, state: 'over', reason } : undefined))
  }
}

/** This node as one that has work done by others. */
export const createRequester = (ports: RequesterPorts): Requester => {
  const { store, links, log } = ports
  const stop = new AbortController()
  const work = underway()
  const given = createGiven(store)

  const begin = (what: string, doing: Promise<unknown>): void =>
    work.add(
      doing.then(
        () => undefined,
        (error: unknown) => {
          if (!stop.signal.aborted) log.warn({ what, error }, 'job_not_followed')
        },
      ),
    )
  const say = (node: string, message: AskedOfWorker): void =>
    begin(message.type, links.ask(node, message, AbortSignal.any([stop.signal, AbortSignal.timeout(SAID_MS_MAX)])))
  const courses = createCourses(ports, given, say)
  const tell = createTelling(ports, given, stop.signal)
  let publishing = false
  let beats = 0

  return {
    get candidates() {
      return candidatesOf(ports, given, courses.all).length
    },
    run: (order, { signal, onReport }) =>
      runElsewhere(ports, { given, courses, say }, { order, onReport, signal: AbortSignal.any([signal, stop.signal]) }),
    given: () => [...given.all.values()],
    givenOf: given.ofWork,
    load: () => loadGiven(given),
    sealed: (tx, named, tokenId) => {
      const row = given.ofWork(named)
      if (row === undefined) return
      const [key, changed] = [givenKey(row.offer.offer), { ...row, token_id: tokenId }]
      tx.put('given', key, changed)
      tx.onDurable(() => given.note(key, changed))
    },
    beat: () => {
      beats += 1
      courses.tick()
      if (beats % BEAT_EVERY === 0) courses.beat()
      for (const told of tell()) begin('tell', told)
      if (beats % SWEEP_EVERY_BEATS === 0) begin('sweep', given.sweep(store.now().meshTick - KEPT_TICKS))
      if (publishing) return
      publishing = true
      begin(
        'publish',
        publishDue(ports, given).finally(() => {
          publishing = false
        }),
      )
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Fault('NODE_STOPPING'))
      await work.ended()
    },
  }
}
