import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Checked } from '#domain/compute/task.ts'
import { bench, median, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'
import { computed, fill, openParts, type Parts, sealOne } from './parts.ts'
import { load, UNLIMITED } from './sealed.ts'

/** Calls under way at once. */
const CALLERS = 50
const SECONDS = 4
const PAGES = 40
const PAGE = 50

const now = (): number => performance.now()

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN

/** Does something again and again, so many at once, until told to stop. Milliseconds of each. */
const meanwhile = (work: () => Promise<unknown>) => {
  const times: number[] = []
  let on = true
  const worker = async (): Promise<void> => {
    while (on) {
      const from = now()
      await work()
      times.push(now() - from)
    }
  }
  const all = Promise.all(Array.from({ length: CALLERS }, worker))
  return async (): Promise<readonly number[]> => {
    on = false
    await all
    return times
  }
}

const forSeconds = async (seconds: number, work: () => Promise<unknown>): Promise<readonly number[]> => {
  const stop = meanwhile(work)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return stop()
}

const line = (what: string, value: string): void => console.log(`${what.padEnd(58)} ${value}`)

const zidOf = ({ owner }: Parts): string => (owner.kind === 'anonymous' ? '' : owner.zid)

/** Time between two looks at whether rows are written. */
const LOOK_MS = 20

/** Resolves when the rows of all moves are written: lists do not wait for them. */
const rowsWritten = async ({ store }: Parts): Promise<void> => {
  for (;;) {
    let open = 0
    for await (const _ of store.range('intent', { limit: 1 })) open += 1
    if (open === 0) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Rows of a plain update in batches, and rows of one op, whose leaf comes first. */
const bulk = async (parts: Parts, to: string, seal: () => Promise<unknown>): Promise<void> => {
  const { economy, owner } = parts
  const from = zidOf(parts)
  const { total } = await economy.envelopes(from, owner, { limit: 1, offset: 0, movable: true })
  const began = now()
  const { moved } = await economy.file(owner, { folder: 'bench', count: total })
  const plain = moved / ((now() - began) / 1000)
  const alone = await forSeconds(SECONDS, seal)
  const stop = meanwhile(seal)
  const start = now()
  const sent = await economy.moves.send(owner, { to, count: total })
  const leafMs = now() - start
  await rowsWritten(parts)
  const allMs = now() - start
  const beside = await stop()
  const quiet = await back(parts, to)
  line(`plain row updates in batches of 2,000, ${moved} rows`, `${plain.toFixed(0)} rows/s`)
  line(
    `one op on ${sent.moved} tokens, sealing beside it`,
    `applied in ${leafMs.toFixed(0)} ms, rows in ${allMs.toFixed(0)} ms`,
  )
  line('the same back, nothing beside it', `${quiet.toFixed(0)} tokens/s, ratio ${(quiet / plain).toFixed(2)}`)
  const [a, b] = [percentile(alone, 0.99), percentile(beside, 0.99)]
  line('p99 of sealing: alone, while they move', `${a.toFixed(1)} ms, ${b.toFixed(1)} ms, ratio ${(b / a).toFixed(2)}`)
}

const other = new WeakMap<Parts, Parts['owner']>()

/** Sends everything back to the owner. @returns tokens a second, until the last row */
const back = async (parts: Parts, from: string): Promise<number> => {
  const { economy } = parts
  const caller = other.get(parts)
  if (caller === undefined) throw new Error('the other account has a caller')
  const { total } = await economy.envelopes(from, caller, { limit: 1, offset: 0, movable: true })
  const start = now()
  await economy.moves.send(caller, { to: zidOf(parts), count: total })
  await rowsWritten(parts)
  return total / ((now() - start) / 1000)
}

/** One envelope a call, and sealed computations, by HTTP, turn and turn about. */
const singles = async (directory: string, to: string, tokens: string[]): Promise<void> => {
  const node = await startChildNode(directory, UNLIMITED)
  try {
    const key = node.ownerKey
    const ratios: number[] = []
    for (let i = 0; i < 3; i += 1) {
      const sealed = await load({ title: 'sealed compute', url: `${node.url}/api/svc/compute`, key }, SECONDS)
      const url = `${node.url}/api/tally/envelopes/transfer-bulk`
      const body = (): string => JSON.stringify({ to, token_ids: [tokens.pop()] })
      ratios.push((await load({ title: 'single transfers', url, key, body }, SECONDS)) / sealed)
    }
    line('transfers a sealed computation', median(ratios).toFixed(2))
  } finally {
    await node.end('SIGTERM')
  }
}

/** Names of what may move, as many as are called for. */
const movableOf = async ({ store }: Parts): Promise<string[]> => {
  const tokens: string[] = []
  for await (const [, token] of store.range('envelopeMovable', { limit: 200_000 })) tokens.push(token)
  return tokens
}

const pages = async (parts: Parts): Promise<void> => {
  const { economy, owner } = parts
  const timed = async (movable: boolean): Promise<number> => {
    const times: number[] = []
    for (let i = 0; i < PAGES; i += 1) {
      const from = now()
      await economy.envelopes(zidOf(parts), owner, { limit: PAGE, offset: 0, ...(movable ? { movable } : {}) })
      times.push(now() - from)
    }
    return median(times)
  }
  const [plain, movable] = [await timed(false), await timed(true)]
  line(
    `a page of ${PAGE}: all, what may move`,
    `${plain.toFixed(2)} ms, ${movable.toFixed(2)} ms, ratio ${(movable / plain).toFixed(2)}`,
  )
}

/** Moves beside what else a node does: in bulk in one process, without the interface; one by one by HTTP. */
export const moves = bench({
  name: 'moves',
  summary: 'envelopes that move: in bulk beside sealing, one by one, and their list [envelopes]',
  async run([count]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const parts = await openParts(directory)
    try {
      const { zid, api_key } = await parts.identity.signUp({ bucket: 'bench' })
      other.set(parts, parts.identity.callerOf({ authorization: `Bearer ${api_key}`, bucket: 'bench' }))
      const { perSecond } = await fill(parts, wholeOr(count, 100_000))
      line('envelopes sealed to begin with', `${perSecond.toFixed(0)}/s`)
      const all = await computed(parts)
      let next = 0
      const seal = (): Promise<unknown> => sealOne(parts, all[next++ % all.length] as Checked)
      await pages(parts)
      await bulk(parts, zid, seal)
      const tokens = await movableOf(parts)
      await parts.store[Symbol.asyncDispose]()
      await singles(directory, zid, tokens)
    } finally {
      await parts.store[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
