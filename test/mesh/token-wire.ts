import type { Json } from '#core/canonical.ts'
import type { AbroadPorts } from '#domain/economy/abroad/types.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import { silentLog } from '#node/log.ts'
import type { TestNode } from '../kit/node.ts'

/** One end of a stream in memory. */
export interface End {
  readonly wire: Wire
  /** Ends what the other end reads. */
  readonly close: () => void
}

/** Frames from one end to the other, until it is closed or broken. */
const pipeOf = () => {
  const waiting: Uint8Array[] = []
  let wake = Promise.withResolvers<void>()
  let state: 'open' | 'closed' | 'broken' = 'open'
  const end = (how: 'closed' | 'broken'): void => {
    if (state === 'open') state = how
    wake.resolve()
  }
  async function* frames(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const frame = waiting.shift()
      if (frame !== undefined) yield frame
      else if (state === 'broken') throw new Error('the stream was cut')
      else if (state === 'closed') return
      else {
        await wake.promise
        wake = Promise.withResolvers()
      }
    }
  }
  return {
    frames,
    end,
    put: (frame: Uint8Array): void => {
      if (state === 'broken') throw new Error('the stream was cut')
      waiting.push(frame.slice())
      wake.resolve()
    },
  }
}

const never = new AbortController().signal

/** What becomes of a frame on its way: the one that arrives; undefined cuts the stream instead of it. */
export type OnFrame = (from: 'opener' | 'answerer', frame: Uint8Array) => Uint8Array | undefined

/** Both ends of a stream. */
export const wires = (onFrame: OnFrame = (_, frame) => frame): readonly [End, End] => {
  const [there, back] = [pipeOf(), pipeOf()]
  const endOf = (from: 'opener' | 'answerer'): End => {
    const [out, into] = from === 'opener' ? [there, back] : [back, there]
    const send = async (frame: Uint8Array): Promise<void> => {
      const passed = onFrame(from, frame)
      if (passed === undefined) for (const it of [there, back]) it.end('broken')
      out.put(passed ?? frame)
    }
    return { wire: { frames: into.frames(), send, deadline: () => never }, close: () => out.end('closed') }
  }
  return [endOf('opener'), endOf('answerer')]
}

/** What becomes of the frames of one stream, which is cut after so many frames of its answer. */
export const cutAfter = (frames: number | undefined): OnFrame => {
  let left = frames ?? Number.POSITIVE_INFINITY
  return (from, frame) => {
    if (from === 'opener') return frame
    left -= 1
    return left < 0 ? undefined : frame
  }
}

/** Joins a node to others by streams in memory. @param way of each stream @param more ports that are others */
export const joinInMemory = (
  it: TestNode,
  others: readonly TestNode[],
  way: () => OnFrame = () => cutAfter(undefined),
  more: Partial<AbroadPorts> = {},
): void => {
  const { compute, witness, economy, network } = it.node.services
  const ports: AbroadPorts = {
    peers: () => others.map(({ node }) => node.nodeId),
    reach: async (node) => (others.some((one) => one.node.nodeId === node) ? 'connected' : 'unknown'),
    talk: async (node, talk) => {
      const other = others.find((one) => one.node.nodeId === node)
      if (other === undefined) throw new Error('not connected')
      const [mine, theirs] = wires(way())
      const answered = other.node.services.economy.abroad
        .answer(it.node.nodeId, theirs.wire)
        .catch(() => undefined)
        .finally(theirs.close)
      try {
        return await talk(mine.wire)
      } finally {
        mine.close()
        await answered
      }
    },
    accuse: (proof) => network.record('evidence', { kind: 'receipt', ...proof } as unknown as Json),
    standingOf: witness.standingOf,
    policy: undefined,
    bundle: compute.bundle,
    log: silentLog,
    ...more,
  }
  economy.abroad.join(ports)
}
