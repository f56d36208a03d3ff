import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TICK_NS } from '#core/tick.ts'
import { lockAt } from '#core/token/state.ts'
import { SETTLE_TICKS } from '#core/vote/documents.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Store } from '#store/store.ts'
import { bench, wholeOr } from './bench.ts'
import { untilKilled } from './killed.ts'
import { openVoting } from './votes-rooms.ts'

const CHILD = fileURLToPath(new URL('./votes-crash-child.ts', import.meta.url))
/** The kill falls at random within this time after the votes begin: they are open for about a second each. */
const MS_SPAN = 4_000
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 10
/** Mesh ticks from the start of a round to that of the next, and from it to where votes are counted afterwards. */
const TICKS_APART = 6_000
const TICKS_TO_COUNT = 900
/** The same to where every lock is over by its tick. */
const TICKS_TO_END = 2 * SETTLE_TICKS + TICKS_TO_COUNT
/** Rounds of the tick pump that may lead all locks on. */
const BEATS_MAX = 2_000

interface Place {
  readonly data: string
  readonly keys: string
}

/** Lets the child vote, and kills it. @returns what it said */
const killed = ({ data, keys }: Place, start: bigint): Promise<readonly string[]> =>
  untilKilled(CHILD, [data, keys, String(start)], MS_SPAN)

/** Locks of votes that no stake of this node stands behind. */
const strayLocks = async (store: Store): Promise<number> => {
  let stray = 0
  for await (const [, { op, digest }] of store.range('move')) {
    if (op.op === 'lock' && op.ref.startsWith('vote:') && store.peek('stakeOp', digest) === undefined) stray += 1
  }
  return stray
}

const states = async (store: Store): Promise<Readonly<Record<string, number>>> => {
  const found: Record<string, number> = {}
  for await (const [, { state }] of store.range('stakeOp')) found[state] = (found[state] ?? 0) + 1
  return found
}

const lockedNow = async (store: Store): Promise<number> => {
  const { meshTick } = store.now()
  let locked = 0
  for await (const [, { lock }] of store.range('envelope')) if (lockAt(lock, meshTick) !== null) locked += 1
  return locked
}

/** What all rounds come to. */
const total = { staked: 0, resolved: 0, mid: 0, lost: 0, stray: 0, locked: 0, open: 0, recounted: 0, unclean: 0 }

const check = async ({ data }: Place): Promise<string> => {
  const { ok, bad } = await fsck({ directory: data })
  if (ok) return 'clean'
  total.unclean += 1
  return `names ${bad?.table} ${bad?.key}: ${bad?.what}`
}

/** Goes on where the kill cut it off, at an instant: what is due is counted or over by its tick. */
const goOn = async ({ data }: Place, at: bigint, lines: readonly string[], count: boolean): Promise<string> => {
  await using voting = await openVoting(data, at)
  const { store, votes } = voting
  const before = await states(store)
  total.mid += Object.entries(before).some(([state]) => state !== 'returned') ? 1 : 0
  for (const line of lines) {
    const [word, name = '', root] = line.split(' ')
    if (word === 'staked' && store.peek('stakeOp', name) === undefined) total.lost += 1
    if (word === 'resolved' && (await votes.resolve(name)).tally.root !== root) total.recounted += 1
  }
  if (count) {
    const ids: string[] = []
    for await (const [, { proposal, state }] of store.range('stakeOp')) if (state !== 'returned') ids.push(proposal)
    for (const id of new Set(ids)) await votes.resolve(id)
  }
  for (let beats = 0; beats < BEATS_MAX; beats += 1) {
    const { returned = 0, ...others } = await states(store)
    if (Object.keys(others).length === 0) break
    await store.closeTick()
    votes.beat()
    await new Promise((resolve) => setTimeout(resolve, 5))
    void returned
  }
  const after = await states(store)
  total.open += Object.entries(after).reduce((sum, [state, found]) => sum + (state === 'returned' ? 0 : found), 0)
  total.stray += await strayLocks(store)
  total.locked += await lockedNow(store)
  return `cut off as ${JSON.stringify(before)}, ended as ${JSON.stringify(after)}`
}

const round = async (n: number, place: Place, start: bigint): Promise<void> => {
  const lines = await killed(place, start)
  const cut = await check(place)
  const count = n % 2 === 0
  const at = start + BigInt(count ? TICKS_TO_COUNT : TICKS_TO_END) * TICK_NS
  const went = await goOn(place, at, lines, count)
  const ended = await check(place)
  const [staked, resolved] = ['staked', 'resolved'].map((it) => lines.filter((line) => line.startsWith(it)).length)
  total.staked += staked ?? 0
  total.resolved += resolved ?? 0
  const how = count ? 'counted' : 'by the clock'
  console.log(
    `round ${n}: ${staked} stakes and ${resolved} counts acknowledged, ${went} (${how}); fsck: ${cut}, ${ended}`,
  )
  const { lost, stray, locked, open, recounted, unclean } = total
  if (lost + stray + locked + open + recounted + unclean > 0) process.exitCode = 1
}

/** Kills what stakes and counts again and again: no lock is without its stake, and every envelope comes back. */
export const votesCrash = bench({
  name: 'votes-crash',
  summary: 'rounds of kill -9 among stakes and counts: no lock without its stake, and every envelope back [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 100)
    const now = BigInt(Date.now()) * 1_000_000n
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const folder = mkdtempSync(join(tmpdir(), 'tickmesh-votes-crash-'))
      const place = { data: join(folder, 'data'), keys: join(folder, 'keys.json') }
      try {
        for (let n = from; n < Math.min(count + 1, from + ROUNDS_EACH); n++) {
          await round(n, place, now + BigInt(n * TICKS_APART) * TICK_NS)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    const { staked, resolved, mid, lost, stray, locked, open, recounted, unclean } = total
    console.log(
      `${count} rounds, ${mid} with stakes cut off; ${staked} stakes and ${resolved} counts acknowledged, ` +
        `${lost} lost; ${stray} locks without a stake, ${open} not at their end, ${locked} envelopes locked, ` +
        `${recounted} counted otherwise again, ${unclean} unclean`,
    )
  },
})
