import type { Json } from '#core/canonical.ts'
import type { Whole } from '#domain/compute/task.ts'
import type { ToldRequester } from '#domain/network/works/messages.ts'
import type { TakenRow } from '#store/works.ts'
import { finishedOf, keepResult, toldOf } from './result.ts'
import type { TakenJobs, TakenPlace } from './taken.ts'
import { TaskEnd, type Tasks, type WorkerTask } from './tasks.ts'
import type { WorkerPorts } from './types.ts'

/** How often a run that gave its thread up begins anew. */
const RUNS_MAX = 8

/** Tells a requester something, as often as it takes; nobody waits for it. */
export type Say = (node: string, message: ToldRequester) => void

/** Does what was accepted, and says how it ended. */
export const createDoing = (
  ports: WorkerPorts,
  { taken, tasks, say }: { readonly taken: TakenJobs; readonly tasks: Tasks; readonly say: Say },
) => {
  const { blobs, parts, contribution } = ports

  const runWhole = async ({ offer: { offer } }: TakenRow, inputs: Json, task: WorkerTask): Promise<Whole> => {
    const onReport = (report: WorkerTask['report']): void => {
      task.report = report
    }
    for (let runs = 0; runs < RUNS_MAX; runs += 1) {
      const order = { name: offer.kind, inputs, part: { kind: 'all' } } as const
      const parted = await parts.run(order, { signal: task.stop.signal, onReport })
      if (parted.kind === 'whole') return parted
      task.stop.signal.throwIfAborted()
    }
    throw new TaskEnd('PREEMPTED', "The node's own work needs its threads.")
  }

  const giveUp = async (at: TakenPlace, node: string, cause: unknown): Promise<void> => {
    const why = cause instanceof Error ? cause.message.slice(0, 512) : 'It was ended.'
    await taken.change(at, (row) => (row?.state === 'running' ? { ...row, state: 'over', reason: why } : undefined))
    const code = cause instanceof TaskEnd ? cause.tells : 'FAILED'
    if (code !== undefined) say(node, { type: 'refuse', job: at.job, attempt: at.attempt, code, detail: why })
  }

  const tellResult = async (node: string, row: TakenRow): Promise<void> => {
    for (const message of await toldOf(blobs, row)) say(node, message)
  }

  return {
    tellResult,
    run: async (row: TakenRow, inputs: Json, task: WorkerTask): Promise<void> => {
      const { offer } = row.offer
      try {
        const finished = await finishedOf(ports, row, await runWhole(row, inputs, task))
        const done = await taken.change(offer, (before, tx) => {
          if (before?.state !== 'running') return undefined
          const { bond } = row.accept.accept
          if (bond !== null) contribution().load(tx, bond, { result: tx.meshTick })
          return { ...before, state: 'done', result: keepResult(blobs, tx, { row, finished }) }
        })
        if (done !== undefined) await tellResult(task.node, done)
      } catch (cause) {
        await giveUp(offer, task.node, task.stop.signal.aborted ? task.stop.signal.reason : cause)
      } finally {
        tasks.end(offer)
      }
    },
  }
}
