import { underway } from '#core/underway.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { BEAT_EVERY, LOST_TICKS, SAID_MS_MAX } from '#domain/network/works/limits.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { createAnswers, type WorkerRoom } from './answers.ts'
import { createPublication } from './publication.ts'
import { createTaken, type TakenPlace, takenKey } from './taken.ts'
import { createTasks, TaskEnd } from './tasks.ts'
import type { Worker, WorkerPorts } from './types.ts'

/** Beats between two looks for rows that are over, and ticks after the last thing about a job that its row is kept. */
const SWEEP_EVERY_BEATS = 640
const KEPT_TICKS = 2 * (DISPUTE_TICKS + SERVE_TICKS)

/** The heartbeats of one node as a worker: to whom it works for, how far it is. */
const createHeart = (
  ports: WorkerPorts,
  { taken, tasks, say }: WorkerRoom,
  lookedAt: () => readonly (TakenPlace & { readonly node: string })[],
) => {
  const told = new Map<string, number>()
  return (): void => {
    for (const task of tasks.all()) {
      const { job, attempt, node, report } = task
      const key = takenKey(task)
      if (report === undefined || report.step === told.get(key)) continue
      told.set(key, report.step)
      const { step, steps, residual } = report
      say(node, { type: 'progress', job, attempt, step, steps, residual })
    }
    for (const key of told.keys()) if (!tasks.all().some((it) => takenKey(it) === key)) told.delete(key)
    // Inputs may be on their way for as long as silence takes to count as loss.
    const inHand = new Map([...lookedAt(), ...tasks.all()].map((it) => [takenKey(it), it]))
    for (const [node, jobs] of Map.groupBy(inHand.values(), (it) => it.node)) {
      say(node, { type: 'beat', jobs: jobs.map(({ job, attempt }) => ({ job, attempt })) })
    }
    const { meshTick } = ports.store.now()
    for (const task of tasks.all()) {
      const deadline = taken.get(task)?.offer.offer.deadline ?? meshTick
      if (meshTick > deadline) task.stop.abort(new TaskEnd('FAILED', 'The deadline is over.'))
    }
    for (const task of tasks.lost(meshTick - LOST_TICKS)) {
      task.stop.abort(new TaskEnd(undefined, 'Its requester was not heard of any more.'))
    }
  }
}

/** This node as one that does work for others. */
export const createWorker = (ports: WorkerPorts): Worker => {
  const { store, links, log } = ports
  const stop = new AbortController()
  const work = underway()
  const taken = createTaken(store)
  const tasks = createTasks()

  /** Does something that nobody waits for. */
  const begin = (what: string, doing: Promise<unknown>): void =>
    work.add(
      doing.then(
        () => undefined,
        (error: unknown) => {
          if (!stop.signal.aborted) log.warn({ what, error }, 'work_not_done')
        },
      ),
    )
  const say = (node: string, message: ToldRequester): void => {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(SAID_MS_MAX)])
    begin(`tell ${message.type}`, links.tell(node, message, signal))
  }
  const publication = createPublication(ports, taken)
  const room: WorkerRoom = { taken, tasks, say, stop: stop.signal, publication }
  const { answers, lookedAt } = createAnswers(ports, room)
  const heart = createHeart(ports, room, lookedAt)
  let isConfirming = false
  const confirm = (): void => {
    if (isConfirming) return
    isConfirming = true
    begin(
      'confirm',
      publication.beat().finally(() => {
        isConfirming = false
      }),
    )
  }

  links.onAsked(async (node, message) => {
    tasks.hear(node, store.now().meshTick)
    // Whoever links takes one message after another, so what takes long is not waited for.
    begin(
      message.type,
      (answers[message.type] as (node: string, message: AskedOfWorker) => Promise<void>)(node, message),
    )
  })
  let beats = 0
  let unlisten: (() => void) | undefined

  return {
    worksOpen: taken.worksOpen,
    taken: () => [...taken.all.values()],
    takenOf: taken.ofWork,
    load: async () => {
      await taken.load()
      unlisten = ports.contribution().onMode((mode) => {
        if (mode === 'contributing') return
        for (const task of tasks.all()) task.stop.abort(new TaskEnd('PREEMPTED', `The node is ${mode} now.`))
      })
    },
    beat: () => {
      beats += 1
      if (beats % BEAT_EVERY === 0) {
        heart()
        confirm()
      }
      if (beats % SWEEP_EVERY_BEATS === 0) begin('sweep', taken.sweep(KEPT_TICKS))
    },
    [Symbol.asyncDispose]: async () => {
      unlisten?.()
      stop.abort(new Error('the worker is stopping'))
      for (const task of tasks.all()) task.stop.abort(new TaskEnd(undefined, 'The node stops.'))
      await work.ended()
    },
  }
}
