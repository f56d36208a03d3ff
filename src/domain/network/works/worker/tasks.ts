import type { Report } from '#domain/compute/task.ts'
import { type TakenPlace, takenKey } from './taken.ts'

/** A job that runs or waits here. */
export interface WorkerTask extends TakenPlace {
  readonly node: string
  /** Ends it; its reason is a {@link TaskEnd}. */
  readonly stop: AbortController
  /** How far it is; undefined before a thread took it. */
  report: Report | undefined
}

/** Why a task is ended before it is through: what its requester is told, if anything. */
export class TaskEnd extends Error {
  override readonly name = 'TaskEnd'
  /** What the requester is told; undefined for one that knows, or is lost. */
  readonly tells: 'PREEMPTED' | 'FAILED' | undefined

  constructor(tells: TaskEnd['tells'], why: string) {
    super(why)
    this.tells = tells
  }
}

/** Jobs under way here, and when each requester was heard of last. */
export const createTasks = () => {
  const tasks = new Map<string, WorkerTask>()
  const heard = new Map<string, number>()
  return {
    get size() {
      return tasks.size
    },
    all: (): readonly WorkerTask[] => [...tasks.values()],
    get: (at: TakenPlace): WorkerTask | undefined => tasks.get(takenKey(at)),
    begin: (at: TakenPlace, { node, meshTick }: { readonly node: string; readonly meshTick: number }): WorkerTask => {
      const { job, attempt } = at
      heard.set(node, meshTick)
      const task: WorkerTask = { job, attempt, node, stop: new AbortController(), report: undefined }
      tasks.set(takenKey(at), task)
      return task
    },
    end: (at: TakenPlace): void => void tasks.delete(takenKey(at)),
    /** A requester said something. */
    hear: (node: string, meshTick: number): void => void heard.set(node, meshTick),
    /** Forgets nodes without a task, and gives those that were not heard of since a tick. */
    lost: (since: number): readonly WorkerTask[] => {
      const nodes = new Set([...tasks.values()].map((it) => it.node))
      for (const node of heard.keys()) if (!nodes.has(node)) heard.delete(node)
      return [...tasks.values()].filter(({ node }) => (heard.get(node) ?? since) < since)
    },
  }
}
export type Tasks = ReturnType<typeof createTasks>
