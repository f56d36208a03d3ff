import { solvers } from '#numerics/solvers/index.ts'
import { type DrawOrder, drawn } from './drawing.ts'
import { type DrawReply, failedReply } from './task.ts'

/** What a worker thread does with a picture. A throw becomes a reply, so nothing of it is lost. */
export const draw = async (order: DrawOrder): Promise<DrawReply> => {
  try {
    return { ok: true, bytes: await drawn(solvers, order) }
  } catch (cause) {
    return failedReply(cause)
  }
}
