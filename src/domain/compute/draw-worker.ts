import { solvers } from '#numerics/solvers/index.ts'
import { type DrawOrder, drawnSvg, rasterised } from './drawing.ts'
import { type DrawReply, failedReply } from './task.ts'

/** What a worker thread does with a picture. A throw becomes a reply, so nothing of it is lost. */
export const draw = async (order: DrawOrder): Promise<DrawReply> => {
  try {
    const svg = drawnSvg(solvers, order)
    return { ok: true, bytes: order.format === 'svg' ? new TextEncoder().encode(svg) : await rasterised(svg) }
  } catch (cause) {
    return failedReply(cause)
  }
}
