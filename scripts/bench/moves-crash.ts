import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonical, type Json } from '#core/canonical.ts'
import { opDigest } from '#core/token/op.ts'
import type { SignedOrder } from '#domain/economy/moving/types.ts'
import { nodeClock } from '#node/clock.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Store } from '#store/store.ts'
import { openRooms, type Rooms } from '../../test/domain/house.ts'
import { bench, wholeOr } from './bench.ts'
import { untilKilled } from './killed.ts'

const CHILD = fileURLToPath(new URL('./moves-crash-child.ts', import.meta.url))
/** The kill falls at random within this time after the moves begin, or after what was cut off is taken up. */
const MS_SPAN = 900
const MS_SPAN_RESUME = 60
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 10

/** Data, accounts and orders of some rounds. */
interface Place {
  readonly data: string
  readonly accounts: string
  readonly orders: string
}

/** Lets the child work, and kills it. @returns what it said it had applied: op digest and receipt as one line */
const killed = ({ data, accounts, orders }: Place, work: 'load' | 'resume'): Promise<readonly string[]> =>
  untilKilled(CHILD, [data, accounts, orders, work], work === 'load' ? MS_SPAN : MS_SPAN_RESUME)

/** What was about to be sent, one order a line; the kill may have cut the last line off, and then it was not sent. */
const ordersIn = ({ orders }: Place): readonly SignedOrder[] => {
  if (!existsSync(orders)) return []
  const lines = readFileSync(orders, 'utf8').split('\n').slice(0, -1)
  return lines.map((it) => JSON.parse(it) as SignedOrder)
}

const openIntents = async (store: Store): Promise<number> => {
  let open = 0
  for await (const _ of store.range('intent')) open += 1
  return open
}

/** Tokens that stand in no list or in two, and owners whose coins are not the faces of what they own. */
const misowned = async (store: Store): Promise<number> => {
  const faces = new Map<string, number>()
  const listed = new Map<string, string[]>()
  for await (const [key, token] of store.range('envelopeByOwner')) {
    listed.set(token, [...(listed.get(token) ?? []), key.slice(0, key.lastIndexOf('/'))])
  }
  let wrong = 0
  for await (const [token, { listed_under: owner, soulbound, face }] of store.range('envelope')) {
    if (listed.get(token)?.join() !== owner) wrong += 1
    faces.set(owner, (faces.get(owner) ?? 0) + (soulbound ? 0 : face))
  }
  for (const [owner, sum] of faces) if (store.balance('coin', owner) !== sum) wrong += 1
  return wrong
}

/** Sends an order. @returns what stays the same in every answer to it, as one text */
const answer = async ({ economy }: Rooms, order: SignedOrder): Promise<string> => {
  const { op, public_key, signature, receipt, receipt_signature } = (await economy.moves.apply(order)).receipt
  return canonical({ op, public_key, signature, receipt, receipt_signature } as unknown as Json)
}

/**
 * Sends every order of a round again; one that was never acknowledged twice, since it may come for the first time.
 *
 * @returns how many give two answers, or none
 */
const again = async (rooms: Rooms, sent: readonly SignedOrder[], said: ReadonlyMap<string, string>) => {
  let other = 0
  for (const order of sent) {
    const digest = opDigest(order.op)
    try {
      const first = said.get(digest) ?? (await answer(rooms, order))
      if ((await answer(rooms, order)) !== first) other += 1
    } catch (cause) {
      console.log(`order ${digest} is refused: ${cause instanceof Error ? cause.message : String(cause)}`)
      other += 1
    }
  }
  return other
}

/** What all rounds come to. */
const total = { acknowledged: 0, bulk: 0, mid: 0, left: 0, other: 0, misowned: 0, unclean: 0 }

const check = async (place: Place): Promise<string> => {
  const { ok, bad } = await fsck({ directory: place.data })
  if (ok) return 'clean'
  total.unclean += 1
  return `names ${bad?.table} ${bad?.key}: ${bad?.what}`
}

const round = async (name: string, place: Place, twice: boolean): Promise<void> => {
  rmSync(place.orders, { force: true })
  const lines = await killed(place, 'load')
  const cut = await check(place)
  if (twice) await killed(place, 'resume')
  const between = twice ? `, cut again ${await check(place)}` : ''
  const said = new Map(lines.map((it) => [it.slice(0, it.indexOf(' ')), it.slice(it.indexOf(' ') + 1)]))
  const sent = ordersIn(place)
  const bulk = sent.filter(({ op }) => op.count > 1 && said.has(opDigest(op))).length
  let open: number
  {
    await using rooms = await openRooms(place.data, nodeClock())
    open = await openIntents(rooms.store)
    await (await rooms.economy.moves.resume()).rows
    total.left += await openIntents(rooms.store)
    total.misowned += await misowned(rooms.store)
    total.other += await again(rooms, sent, said)
    total.other += [...said.keys()].filter((it) => !sent.some(({ op }) => opDigest(op) === it)).length
  }
  const ended = await check(place)
  total.acknowledged += said.size
  total.bulk += bulk
  total.mid += Math.min(1, open)
  const work = `${said.size} of ${sent.length} ops acknowledged, ${bulk} of them in bulk`
  console.log(`${name}: ${work}, ${open} cut off; fsck: cut ${cut}${between}, ended ${ended}`)
  const { left, other, misowned: owners, unclean } = total
  if (left + other + owners + unclean > 0) process.exitCode = 1
}

/** Kills what moves envelopes again and again: each op is applied whole or not at all, once, and says so for ever. */
export const movesCrash = bench({
  name: 'moves-crash',
  summary: 'rounds of kill -9 among moves in bulk and one by one: each is whole or not at all, and once [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 100)
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const folder = mkdtempSync(join(tmpdir(), 'tickmesh-moves-crash-'))
      const place = {
        data: join(folder, 'data'),
        accounts: join(folder, 'accounts.json'),
        orders: join(folder, 'orders.jsonl'),
      }
      try {
        for (let n = from; n < Math.min(count + 1, from + ROUNDS_EACH); n++) {
          await round(`round ${n}`, place, n % 2 === 0)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    const { acknowledged, bulk, mid, left, other, misowned: owners, unclean } = total
    console.log(`${count} rounds, ${mid} of them with a move in bulk cut off between its leaf and its last row`)
    console.log(
      `${acknowledged} ops acknowledged, ${bulk} of them in bulk; ${other} answered otherwise when sent again`,
    )
    console.log(`${left} intents left after resume, ${owners} wrong owners or sums, ${unclean} unclean by fsck`)
  },
})
