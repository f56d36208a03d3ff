import assert from 'node:assert/strict'
import type { FireRow } from '#core/contract/fire-row.ts'
import { TICK_NS } from '#core/tick.ts'
import { counting, pass, rowsOf, stage } from '../../domain/contracts/engine/engine-kit.ts'
import { type TestNode, testNode } from '../../kit/node.ts'

/** What a reader of a stream was told, as its client told it: name of the event, id it resumes after, data. */
export interface Heard {
  readonly event: string
  readonly id: string
  readonly data: string
}

/** A reader that goes on by itself for as long as the test runs. */
export interface Follower {
  /** All that it heard so far. */
  heard(): Promise<readonly Heard[]>
}

/** How many rows a reader who comes back is given, in hundreds of ticks that pass without it, and some more. */
const LONG_AWAY = 1_150
const BY = 100

const settings = { 'sse.retryMs': 50 }

/** The numbers of rows that a stream has to tell. */
const taken = (rows: readonly FireRow[]): readonly number[] =>
  rows.filter(({ outcome }) => outcome === 'fired').map(({ no }) => no)

interface Scene {
  readonly it: TestNode
  /** Of the owner of the machine, whose slug is `open`. */
  readonly key: string
  readonly path: string
}

/**
 * Has a reader follow the transitions of a contract through everything that can come between: a stop before the first
 * transition, rows that are none, stops with transitions during them, and one of which it can no longer have all. It
 * has to hear each transition once, in order, and of what it cannot have, how much that is.
 *
 * @param follow begins to follow a path of a node at an address that stays
 */
export const followThrough = async (
  directory: string,
  follow: (scene: Scene) => Promise<Follower>,
  until: (probe: () => Promise<boolean>) => Promise<unknown>,
): Promise<void> => {
  const catchUp = { mode: 'all', window: 10_000, max: 100 }
  const first = await stage({ directory, settings })
  const { owner, key } = first
  let it = first.it
  const port = Number(new URL(it.url).port)
  const trigger = { kind: 'recurring', every_ticks: 1, catchUp }
  const made = await owner.call('contracts.custom', { slug: 'open', definition: counting(trigger), start: true })
  const { id } = made.contract
  const which = { slug: 'open', id }
  const path = `/api/chain/open/contracts/${id}/transitions/stream`

  const at = async (more: object): Promise<TestNode> => {
    const start = it.node.store.now().instant + TICK_NS
    await it[Symbol.asyncDispose]()
    return testNode({ directory, start, settings: { ...settings, ...more } })
  }
  /** The node is away for the reader, and acts meanwhile; then it is back where it was. */
  const away = async (ticks: number): Promise<void> => {
    it = await at({ 'http.port': 0 })
    await pass(it, ticks, Math.min(ticks, BY))
    it = await at({ 'http.port': port })
  }

  try {
    const reader = await follow({ it, key, path })
    const told = async (event: string) => (await reader.heard()).filter((of) => of.event === event)
    const numbers = async () => (await told('transition')).map(({ id }) => Number(id.slice(1)))
    const hearsAll = async (from = 0): Promise<void> => {
      const heard = async () => (await numbers()).filter((no) => no >= from)
      let all: readonly number[] = []
      // A fire may end while this looks: what was there at one look is to be heard, and what comes after it may be.
      await until(async () => {
        all = taken(await rowsOf(it, id)).filter((no) => no >= from)
        return (await heard()).length >= all.length
      })
      assert.deepEqual((await heard()).slice(0, all.length), all)
    }
    await until(async () => (await told('place')).length > 0)
    await away(3)
    await hearsAll()

    // A row that is no transition leaves no gap.
    await it.as(key).call('contracts.skip-next', which)
    await pass(it, 4)
    await hearsAll()
    for (let i = 0; i < 2; i += 1) {
      await away(2)
      await pass(it, 1)
      await hearsAll()
    }
    assert.deepEqual(await told('gap'), [])
    assert.deepEqual((await told('place')).length, 1)

    const [before, rows] = [(await numbers()).at(-1) ?? 0, it.node.store.peek('contract', id)?.rows ?? 0]
    assert.equal(before, rows - 1)
    await away(LONG_AWAY)
    await until(async () => (await told('gap')).length > 0)
    const [gap, ...others] = (await told('gap')).map(({ data }) => JSON.parse(data) as Record<string, number>)
    assert.deepEqual(others, [])
    const { after = 0, next = 0, missed } = gap ?? {}
    assert.equal(after, before)
    assert.equal(missed, next - before - 1)
    await hearsAll(next)
    const all = await numbers()
    assert.deepEqual(
      all,
      [...new Set(all)].sort((a, b) => a - b),
    )
    assert.equal(all[all.indexOf(before) + 1], next)
  } finally {
    await it[Symbol.asyncDispose]()
  }
}
