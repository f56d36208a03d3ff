import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { bench, wholeOr } from './bench.ts'

const CHILD = fileURLToPath(new URL('./claim-crash-child.ts', import.meta.url))
/** Where the launcher keeps what was compiled, so that many processes start quickly. */
const COMPILED = fileURLToPath(new URL('../../.build/compiled', import.meta.url))
/** The kill falls at random within this time after the claims begin. */
const MS_SPAN = 250
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 10
const CREDITS = 128

interface Killed {
  /** Who was told that the claim is paid. */
  readonly paid: readonly string[]
  /** Claims of the round before that were sent again and are not paid exactly once. */
  readonly wrong: number
}

/** Lets the child claim, and kills it among its claims. */
const claimUntilKilled = async (data: string, orders: string): Promise<Killed> => {
  const child = spawn(process.execPath, ['--no-warnings', CHILD, data, orders], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const paid: string[] = []
  let wrong = Number.NaN
  for await (const line of createInterface({ input: child.stdout })) {
    const begins = /^begins (\d+)$/.exec(line)
    if (begins === null) paid.push(line)
    else {
      wrong = Number(begins[1])
      setTimeout(() => child.kill('SIGKILL'), randomInt(MS_SPAN))
    }
  }
  await ended
  return { paid, wrong }
}

/** Whose day is spent in the directory, and whether each of a round has its 128 credits exactly if it is. */
const find = async (data: string, orders: string) => {
  const sent = JSON.parse(readFileSync(orders, 'utf8')) as readonly { readonly zid: string }[]
  await using database = await openDatabase(databaseDirectory(data), false)
  const spent = new Set<string>()
  let torn = 0
  for (const { zid } of sent) {
    const claims = database.peek('claimant', zid)?.claims ?? 0
    if (claims > 0) spent.add(zid)
    if ((database.peek('balance', `free/${zid}`) ?? 0) !== claims * CREDITS) torn += 1
  }
  return { sent: sent.length, spent, torn }
}

/** What all rounds come to. */
const total = { paid: 0, spent: 0, mid: 0, lost: 0, torn: 0, unclean: 0, wrong: 0 }

const round = async (name: string, data: string, orders: string): Promise<void> => {
  const { paid, wrong } = await claimUntilKilled(data, orders)
  const { ok, bad } = await fsck({ directory: data })
  const { sent, spent, torn } = await find(data, orders)
  const lost = paid.filter((zid) => !spent.has(zid)).length
  total.paid += paid.length
  total.spent += spent.size
  total.mid += spent.size > 0 && spent.size < sent ? 1 : 0
  total.lost += lost
  total.torn += torn
  total.unclean += Number(!ok)
  total.wrong += wrong
  const verdict = ok ? 'clean' : `names ${bad?.table} ${bad?.key}: ${bad?.what}`
  const said = `${paid.length} acknowledged, ${spent.size} of ${sent} in the store, ${lost} lost, ${torn} torn`
  console.log(`${name}: ${said}, fsck ${verdict}; of the round before, sent again, ${wrong} not paid once`)
  if (lost > 0 || torn > 0 || !ok || wrong !== 0) process.exitCode = 1
}

/** Kills what pays claims again and again: each is paid whole or not at all, and once when it is sent again. */
export const claimCrash = bench({
  name: 'claim-crash',
  summary: 'rounds of kill -9 among daily claims: each is paid whole or not at all, and once [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 100)
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const folder = mkdtempSync(join(tmpdir(), 'tickmesh-claim-crash-'))
      try {
        for (let n = from; n < Math.min(count + 1, from + ROUNDS_EACH); n++) {
          await round(`round ${n}`, join(folder, 'data'), join(folder, 'orders.json'))
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    const { paid, spent, mid, lost, torn, unclean, wrong } = total
    console.log(`${count} rounds, ${mid} of them killed with a part of the claims in the store`)
    console.log(`${paid} claims acknowledged, ${spent} in the store at the kill, ${lost} lost, ${torn} torn`)
    console.log(`${unclean} unclean by fsck, ${wrong} not paid exactly once after they were sent again`)
  },
})
