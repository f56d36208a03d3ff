import type { AbroadContext } from './context.ts'

/** Nodes that are dialled at once because something waits for them. */
const SEEKS_MAX = 4
/** Ticks after which a node that was not reached is tried again, doubling to the larger one. */
const WAIT_TICKS_MIN = 8
const WAIT_TICKS_MAX = 512
/** Nodes whose wait is remembered. */
const WAITS_MAX = 4_096

/** Tries to reach a node that something waits for, now and then. Returns at once. */
export type Seek = (node: string, track: (work: Promise<void>) => void) => void

/** Looks for nodes that are not connected and that tokens have to do with. */
export const createSeek = ({ store, ports, signal }: Pick<AbroadContext, 'store' | 'ports' | 'signal'>): Seek => {
  const waits = new Map<string, { readonly at: number; readonly ticks: number }>()
  const running = new Set<string>()

  const seek = async (node: string): Promise<void> => {
    if ((await ports()?.reach(node)) === 'connected') {
      waits.delete(node)
      return
    }
    const ticks = Math.min(2 * (waits.get(node)?.ticks ?? WAIT_TICKS_MIN / 2), WAIT_TICKS_MAX)
    if (waits.size >= WAITS_MAX) waits.clear()
    waits.set(node, { at: store.now().meshTick + ticks, ticks })
  }

  return (node, track) => {
    if (signal.aborted || running.size >= SEEKS_MAX || running.has(node)) return
    if ((waits.get(node)?.at ?? 0) > store.now().meshTick) return
    running.add(node)
    track(seek(node).finally(() => running.delete(node)))
  }
}
