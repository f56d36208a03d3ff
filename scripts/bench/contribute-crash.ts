import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRecorder } from '#domain/network/recorder.ts'
import type { OwnBondRow } from '#store/bonds.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Store } from '#store/store.ts'
import { openRooms } from '../../test/domain/house.ts'
import { contributionIn } from '../../test/domain/network/contribution/kit.ts'
import { bench, wholeOr } from './bench.ts'
import { jumpingClock } from './jumping-clock.ts'
import { untilKilled } from './killed.ts'

const CHILD = fileURLToPath(new URL('./contribute-crash-child.ts', import.meta.url))
/** The kill falls at random within this time after the work begins, or after what was cut off is taken up. */
const MS_SPAN = 2_500
const MS_SPAN_RESUME = 120
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 5

/** Lets the child work, and kills it. @returns what it said was done */
const killed = (data: string, work: 'load' | 'resume'): Promise<readonly string[]> =>
  untilKilled(CHILD, [data, `${data}.clock`, work], work === 'load' ? MS_SPAN : MS_SPAN_RESUME)

/** What all rounds come to. */
const total = {
  bonded: 0,
  released: 0,
  over: 0,
  withheld: 0,
  cut: 0,
  lost: 0,
  supply: 0,
  twice: 0,
  stuck: 0,
  unclean: 0,
}

const check = async (directory: string): Promise<string> => {
  const { ok, bad } = await fsck({ directory })
  if (ok) return 'clean'
  total.unclean += 1
  return `names ${bad?.table} ${bad?.key}: ${bad?.what}`
}

/** The states of this node's bonds, by name. */
const bondsIn = async (store: Store): Promise<ReadonlyMap<string, OwnBondRow>> => {
  const bonds = new Map<string, OwnBondRow>()
  for await (const [name, row] of store.range('ownBond')) bonds.set(name, row)
  return bonds
}

/** Coins that are not the faces of what is not withheld, and envelopes locked for a bond that is not held. */
const wrongSums = async (store: Store, bonds: ReadonlyMap<string, OwnBondRow>): Promise<void> => {
  let [standing, withheld] = [0, 0]
  const locked = new Map<string, number>()
  for await (const [, { lock, face }] of store.range('envelope')) {
    if (lock?.kind === 'withheld') withheld += face
    else standing += face
    if (lock?.kind === 'bond') locked.set(lock.ref, (locked.get(lock.ref) ?? 0) + 1)
  }
  if (store.supply('coin') !== standing || store.balance('coin', 'withheld') !== withheld) total.supply += 1
  for (const [name, count] of locked) if (bonds.get(name)?.state !== 'held' || count !== 1_000) total.twice += 1
  const held = [...bonds].filter(([, { state }]) => state === 'held')
  if (held.length > 1 || held.some(([name]) => locked.get(name) !== 1_000)) total.twice += 1
}

/** What was acknowledged and is not so any more. */
const wasLost = (store: Store, bonds: ReadonlyMap<string, OwnBondRow>, lines: readonly string[]): number =>
  lines.filter((line) => {
    const [what, name = ''] = line.split(' ')
    const [own, row] = [bonds.get(name), store.peek('bond', name)]
    if (what === 'bonded') return own === undefined || row === undefined
    if (what === 'released') return row?.released == null
    if (what === 'withheld') return row?.fallen == null || own?.state !== 'over'
    return own?.state !== 'over'
  }).length

const round = async (name: string, data: string, twice: boolean): Promise<void> => {
  const lines = await killed(data, 'load')
  const cut = await check(data)
  if (twice) await killed(data, 'resume')
  const between = twice ? `, cut again ${await check(data)}` : ''
  {
    await using rooms = await openRooms(data, jumpingClock(`${data}.clock`))
    const { store } = rooms
    const left = [...(await bondsIn(store)).values()].some(({ state }) => state === 'locking' || state === 'undoing')
    if (left) total.cut += 1
    await (await rooms.economy.moves.resume()).rows
    const contribution = contributionIn(rooms, createRecorder(store, rooms.keys.signer))
    await contribution.resume()
    const bonds = await bondsIn(store)
    for (const { zid } of bonds.values()) await rooms.economy.moves.settled(zid)
    total.stuck += [...bonds.values()].filter(({ state }) => state === 'locking' || state === 'undoing').length
    total.lost += wasLost(store, bonds, lines)
    await wrongSums(store, bonds)
  }
  const ended = await check(data)
  for (const line of lines) {
    const what = line.split(' ')[0] as 'bonded' | 'released' | 'over' | 'withheld'
    total[what] += 1
  }
  console.log(`${name}: ${lines.length} acknowledged; fsck: cut ${cut}${between}, ended ${ended}`)
  const { lost, supply, twice: used, stuck, unclean } = total
  if (lost + supply + used + stuck + unclean > 0) process.exitCode = 1
}

/** Kills a node that bonds, releases and withholds: each is whole or not at all, once, and stays. */
export const contributeCrash = bench({
  name: 'contribute-crash',
  summary: 'rounds of kill -9 during bond, release and withhold: each is whole or not at all, and stays [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 100)
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const data = mkdtempSync(join(tmpdir(), 'tickmesh-contribute-crash-'))
      try {
        for (let n = from; n < Math.min(count + 1, from + ROUNDS_EACH); n += 1) {
          await round(`round ${n}`, data, n % 2 === 0)
        }
      } finally {
        rmSync(data, { recursive: true, force: true })
        for (const file of [`${data}.clock`, `${data}.clock.next`]) rmSync(file, { force: true })
      }
    }
    const { bonded, released, over, withheld, cut, lost, supply, twice, stuck, unclean } = total
    console.log(`${count} rounds, ${cut} of them with a bond cut off between its first lock and its event`)
    console.log(
      `acknowledged: ${bonded} bonds, ${released} releases, ${over} ended, ${withheld} withheld; ${lost} lost`,
    )
    console.log(
      `${supply} wrong sums, ${twice} tokens or bonds in double use, ${stuck} stuck, ${unclean} unclean by fsck`,
    )
  },
})
