import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FireRow } from '#core/contract/fire-row.ts'
import { type Client, createClient } from '#gateway/client.ts'
import { type Database, openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { under } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'

/** The kill falls at random within this time after the load begins: up to five ticks. */
const MS_SPAN = 4_000
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 20
const GRANT = 100_000_000
const SLUG = 'killed'
const SENDERS = 3

const count = { kind: 'set', n: { $: 'context.n + 1' } }
const common = { v: 1, context: { n: { type: 'integer', initial: 0 } }, states: { on: { initial: true } } }
const transition = (trigger: object, actions: readonly object[]) => ({
  transitions: [{ id: 'count', from: 'on', to: 'on', trigger, actions }],
})
const catchUp = { mode: 'all', window: 1_000, max: 100 }
const events = { reading: { data: { v: { type: 'number' } } }, echo: { data: { v: { type: 'number' } } } }

/** Contracts that count what they hear: each tick, with a computation, each event, and what another one emits. */
const DEFINITIONS = [
  { ...common, name: 'ticks', ...transition({ kind: 'recurring', every_ticks: 1, catchUp }, [count]) },
  {
    ...{ ...common, name: 'computes' },
    context: { ...common.context, r: { type: 'number', initial: 0 } },
    ...transition({ kind: 'recurring', every_ticks: 2, catchUp, overlap: { queue: 100 } }, [
      count,
      {
        ...{ kind: 'compute', operators: ['GR37'], bind: { r: '/value' } },
        inputs: { mass: { $: '1e30 + context.n' } },
      },
    ]),
  },
  {
    ...{ ...common, name: 'hears', events },
    ...transition({ kind: 'event', event: 'reading', overlap: { queue: 100 } }, [
      count,
      { kind: 'emit', event: 'echo', data: { v: { $: 'event.data.v' } } },
    ]),
  },
  {
    ...common,
    name: 'echoes',
    events,
    ...transition({ kind: 'event', event: 'echo', overlap: { queue: 100 } }, [count]),
  },
]

const clientOf = ({ url, ownerKey }: ChildNode): Client => createClient({ url, key: ownerKey, retriesMax: 0 })
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const prepare = async (client: Client): Promise<void> => {
  const { zid } = await client.call('economy.credits', {})
  await client.call('economy.grant', { zid, credits: GRANT })
  await client.call('machines.create', { slug: SLUG, is_public: true })
  for (const definition of DEFINITIONS) await client.call('contracts.custom', { slug: SLUG, definition, start: true })
}

/** Sends events until the node is gone. @returns sequence numbers that were acknowledged */
const loadUntilKilled = async (node: ChildNode): Promise<readonly number[]> => {
  const client = clientOf(node)
  const seqs: number[] = []
  const send = async (): Promise<never> => {
    for (let v = 0; ; v++) {
      const { body } = await client.send('POST', `/api/chain/${SLUG}/event`, { type: 'reading', data: { v } })
      seqs.push((body as { readonly seq: number }).seq)
      await pause(randomInt(200))
    }
  }
  const load = Promise.allSettled(Array.from({ length: SENDERS }, send))
  await pause(randomInt(MS_SPAN))
  await node.end('SIGKILL')
  await load
  return seqs
}

/** What a directory holds that it should not, as sentences. */
interface Found {
  readonly fires: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
}

const rowsOf = async (database: Database, id: string): Promise<readonly FireRow[]> => {
  const rows: FireRow[] = []
  for await (const [, row] of database.range('contractFire', under(id))) rows.push(row)
  return rows
}

type Fired = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>
const isFire = (row: FireRow): row is Fired => ['fired', 'refused', 'failed'].includes(row.outcome)

/** Due instants up to the newest decided one, each once: as a fire, as a skipped one, or in a row of missed ones. */
const duesMissing = (rows: readonly FireRow[], every: number, open: readonly number[]): readonly number[] => {
  const covered = new Set<number>(open)
  for (const row of rows) {
    if ('due' in row && row.due !== null) covered.add(row.due)
    if (row.outcome === 'missed') for (let due = row.from; due <= row.to; due += every) covered.add(due)
  }
  const dues = [...covered].sort((a, b) => a - b)
  const missing: number[] = []
  for (let due = dues[0] ?? 0; due < (dues.at(-1) ?? 0); due += every) if (!covered.has(due)) missing.push(due)
  return missing
}

const causeText = (row: Fired): string => JSON.stringify(row.cause)

const find = async (directory: string): Promise<Found> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  const [lost, doubled]: [string[], string[]] = [[], []]
  let fires = 0
  const heard = new Map<string, number[]>()
  for await (const [, { entry }] of database.range('machineEntry', under(SLUG))) {
    const { type, body } = entry
    const { event, data_digest: carries } = body as { readonly event?: string; readonly data_digest?: string }
    if (type === 'event' && event !== undefined && carries != null) {
      heard.set(event, [...(heard.get(event) ?? []), entry.seq])
    }
  }
  for await (const [id, contract] of database.range('contract')) {
    const rows = await rowsOf(database, id)
    const decided = rows.filter(isFire)
    fires += decided.length
    const causes = decided.map(causeText)
    const twice = causes.length - new Set(causes).size
    if (twice > 0) doubled.push(`${contract.name}: ${twice} causes have two outcomes`)
    const fired = decided.filter(({ outcome }) => outcome === 'fired').length
    const { n } = contract.standing.context
    if (n !== fired || contract.fire_count !== fired) doubled.push(`${contract.name}: counts ${n} in ${fired} fires`)
    const every = contract.name === 'ticks' ? 1 : contract.name === 'computes' ? 2 : 0
    const under = database.peek('contractIntent', id)
    const open = [...contract.waiting, ...(under === undefined ? [] : [under])].flatMap(({ due }) => due ?? [])
    if (every > 0) lost.push(...duesMissing(rows, every, open).map((due) => `${contract.name}: due ${due}`))
    const event = contract.name === 'hears' ? 'reading' : contract.name === 'echoes' ? 'echo' : undefined
    const upTo = contract.seqs[SLUG] ?? -1
    const waiting = new Set(contract.waiting.map(({ cause }) => JSON.stringify(cause)))
    for (const seq of event === undefined ? [] : (heard.get(event) ?? [])) {
      const cause = rows.some((row) => 'cause' in row && 'seq' in row.cause && row.cause.seq === seq)
      const known = cause || contract.firing !== null || waiting.has(JSON.stringify({ slug: SLUG, seq }))
      if (seq <= upTo && !known) lost.push(`${contract.name}: entry ${seq}`)
    }
    if (contract.name === 'hears') {
      const told = (heard.get('echo') ?? []).length
      let calls = 0
      for await (const [, call] of database.range('contractCall')) if (call.event.name === 'echo') calls += 1
      if (told + calls !== fired)
        (told + calls > fired ? doubled : lost).push(`${fired} fires, ${told} echoes, ${calls} open`)
    }
  }
  return { fires, lost, doubled }
}

/** Some rounds on one directory. */
const roundsOn = async (directory: string, from: number, to: number): Promise<Found & { readonly unclean: number }> => {
  const environment = { TICKMESH_LIMITS_KEY_CALLS_PER_MINUTE: '1000000' }
  let [unclean, total]: [number, Found] = [0, { fires: 0, lost: [], doubled: [] }]
  for (let round = from; round <= to; round++) {
    const node = await startChildNode(directory, environment)
    if (round === from) await prepare(clientOf(node))
    const sent = await loadUntilKilled(node)
    const { ok, bad } = await fsck({ directory })
    const found = await find(directory)
    const verdict = ok ? 'clean' : `names ${bad?.table} ${bad?.key}: ${bad?.what}`
    console.log(`round ${round}: ${sent.length} events acknowledged, ${found.fires} fires, fsck ${verdict}`)
    for (const it of found.lost) console.log(`  lost: ${it}`)
    for (const it of found.doubled) console.log(`  doubled: ${it}`)
    unclean += ok ? 0 : 1
    total = { fires: found.fires, lost: [...total.lost, ...found.lost], doubled: [...total.doubled, ...found.doubled] }
  }
  return { ...total, unclean }
}

/** Kills a node in the middle of fires again and again; each cause must have one outcome, and fsck be clean. */
export const contractsCrash = bench({
  name: 'contracts-crash',
  summary: 'rounds of kill -9 during fires: no cause may be lost, and none have two outcomes [rounds]',
  async run([rounds]) {
    const all = wholeOr(rounds, 20)
    let [fires, lost, doubled, unclean] = [0, 0, 0, 0]
    for (let from = 1; from <= all; from += ROUNDS_EACH) {
      const directory = mkdtempSync(join(tmpdir(), 'tickmesh-contracts-'))
      try {
        const found = await roundsOn(directory, from, Math.min(all, from + ROUNDS_EACH - 1))
        fires += found.fires
        lost += found.lost.length
        doubled += found.doubled.length
        unclean += found.unclean
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
    console.log(`${all} rounds, ${fires} fires: ${lost} lost, ${doubled} doubled, ${unclean} unclean by fsck`)
    if (lost + doubled + unclean > 0) process.exitCode = 1
  },
})
