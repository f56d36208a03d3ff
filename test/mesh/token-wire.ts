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

/** Both ends of a stream. @param onFrame called for each frame, either way; true cuts the stream instead of it */
export const wires = (onFrame: (from: 'opener' | 'answerer') => boolean = () => false): readonly [End, End] => {
  const [there, back] = [pipeOf(), pipeOf()]
  const endOf = (from: 'opener' | 'answerer'): End => {
    const [out, into] = from === 'opener' ? [there, back] : [back, there]
    const send = async (frame: Uint8Array): Promise<void> => {
      if (onFrame(from)) for (const it of [there, back]) it.end('broken')
      out.put(frame)
    }
    return { wire: { frames: into.frames(), send, deadline: () => never }, close: () => out.end('closed') }
  }
  return [endOf('opener'), endOf('answerer')]
}

/** How many frames of an answer come before the stream is cut; undefined: none is. */
export type Cut = () => number | undefined

/** Joins a node to others by streams in memory, which may be cut. Ticks still go by `beat`. */
export const joinInMemory = (it: TestNode, others: readonly TestNode[], cut: Cut = () => undefined): AbroadPorts => {
  const { compute, witness, economy } = it.node.services
  const ports: AbroadPorts = {
    peers: () => others.map(({ node }) => node.nodeId),
    talk: async (node, talk) => {
      const other = others.find((one) => one.node.nodeId === node)
      if (other === undefined) throw new Error('not connected')
      let left = cut()
      const [mine, theirs] = wires((from) => {
        if (from === 'opener' || left === undefined) return false
        left -= 1
        return left < 0
      })
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
    standingOf: witness.standingOf,
    policy: undefined,
    bundle: compute.bundle,
    log: silentLog,
  }
  economy.abroad.join(ports)
  return ports
}
