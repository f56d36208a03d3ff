import { connect, type Socket } from 'node:net'
import { answering, nowMs } from './sockets-ask.ts'
import { type Target, wireOf } from './sockets-wires.ts'

/*
 * Subscribers in a process of their own, each on a connection from one of many loopback addresses. They stand on bare
 * connections and look at no more than the head of a message, so that what is measured is who sends.
 */

/** Openings that are under way at once. */
const LANES = 64
/** Addresses that connections come from: 127.1.0.1 and on. */
const ADDRESSES = 250
const READ_BYTES = 1 << 18

/** When messages came, by the mark that they carry. */
let arrivals = new Map<number, number[]>()
const refusals = new Map<string, number>()
const open = new Set<Socket>()
const ended = { count: 0 }

/** All connections are read into the same place: what stands there has been looked at when the next one is read. */
const place = Buffer.allocUnsafe(READ_BYTES)

const onMark = (mark: number, at: number): void => {
  const all = arrivals.get(mark)
  if (all === undefined) arrivals.set(mark, [at])
  else all.push(at)
}

/** Opens one connection. @returns whether it was let in. */
const enter = (target: Target, number: number, reads: boolean): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const index = number % ADDRESSES
  const localAddress = `127.1.0.${index + 1}`
  const wire = wireOf(target)
  let isIn = false
  let rest: Buffer | undefined
  const onBytes = (bytes: Buffer): void => {
    const at = nowMs()
    let from = 0
    if (!isIn) {
      const found = wire.entered(bytes)
      if (found === undefined) {
        rest = Buffer.from(bytes)
        return
      }
      if (found.refused !== undefined) {
        refusals.set(found.refused, (refusals.get(found.refused) ?? 0) + 1)
        socket.destroy()
        return
      }
      isIn = true
      from = found.size
      open.add(socket)
      // Whoever never reads begins with that here: what comes from now on stays where it is.
      if (!reads) socket.pause()
      resolve(true)
    }
    while (from < bytes.length) {
      const message = wire.next(bytes, from, socket)
      if (message === undefined) break
      if (message.mark !== undefined) onMark(message.mark, at)
      from += message.size
    }
    rest = from < bytes.length ? Buffer.from(bytes.subarray(from)) : undefined
  }
  const socket = connect({
    ...{ host: '127.0.0.1', port: target.port, localAddress, noDelay: true },
    onread: {
      buffer: place,
      callback: (count, bytes) => {
        const now = Buffer.from(bytes.buffer, bytes.byteOffset, count)
        onBytes(rest === undefined ? now : Buffer.concat([rest, now]))
        return true
      },
    },
  })
  socket.once('connect', () => socket.write(wire.opening))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!isIn) refusals.set(error.code ?? 'error', (refusals.get(error.code ?? 'error') ?? 0) + 1)
  })
  socket.once('close', () => {
    if (open.delete(socket)) ended.count += 1
    resolve(false)
  })
  return promise
}

answering({
  /** Opens so many, `silent` of which read nothing. */
  open: async ({
    target,
    count,
    reads,
    first = 0,
    lanes = LANES,
  }: {
    target: Target
    count: number
    reads: boolean
    first?: number
    lanes?: number
  }) => {
    let [next, entered] = [0, 0]
    const lane = async (): Promise<void> => {
      while (next < count) {
        const number = first + next
        next += 1
        if (await enter(target, number, reads)) entered += 1
      }
    }
    await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
    return { entered, refusals: new Map(refusals) }
  },
  /** What came since it was last asked. */
  arrivals: () => {
    const all = arrivals
    arrivals = new Map()
    return all
  },
  state: () => ({ open: open.size, ended: ended.count, rss: process.memoryUsage().rss }),
  close: () => {
    for (const it of open) it.destroy()
  },
})
process.once('disconnect', () => process.exit(0))
