import { noteGivenUp } from '#domain/contracts/outward/gave-up.ts'
import { outboxKey } from '#domain/contracts/outward/outbox.ts'
import { createOutward, type OutwardPorts } from '#domain/contracts/outward/service.ts'
import { webhookSigner } from '#domain/identity/webhook-key.ts'
import { sayAsNode } from '#domain/machines/record.ts'
import { keyOf } from '#store/layout.ts'
import { type ContractOutboxRow, type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { House, Rooms } from '../../house.ts'

export const FIRE = 'f'.repeat(64)

/** A contract of a machine, as far as what goes outward looks at it: a version whose definition writes bodies. */
export const contractRow = (id: string, slug: string): ContractRow => ({
  ...{
    v: 1,
    id,
    number: 0,
    slug,
    contract: 'c'.repeat(64),
    name: id,
    created_by: 'x',
    created_tick: 0,
    status: 'live',
  },
  ...{ paused_by: null, version_no: 1, version: 'e'.repeat(64), done: false, armed_tick: 0, seqs: {}, next: null },
  standing: { state: 's', entered: { fire: FIRE, tick: 0 }, context: {}, windows: {}, marks: {} },
  ...{ skip: null, waiting: [], firing: null, fire_count: 1, failures: 0, rows: 1 },
  ...{ spent: { day: 0, credits: 0, fires: 0 }, updated_tick: 0 },
})

/** Puts a contract down whose fire {@link FIRE} went by a definition with these actions. */
export const putContract = ({ store }: Rooms, id: string, slug: string, actions: readonly object[]): Promise<void> =>
  store.commit((tx) => {
    const definition = { states: { s: { entry: [], exit: [] } }, transitions: [{ actions }], oracles: {} }
    tx.put('contract', id, contractRow(id, slug))
    tx.put('contractVersion', numberedKey(id, 1), {
      ...{ no: 1, version: 'e'.repeat(64), definition: definition as never, zones: {}, tick: 0, by: 'x', of: null },
    })
    tx.put('contractFireNo', keyOf(id, FIRE), 0)
    tx.put('contractFire', numberedKey(id, 0), { outcome: 'fired', fire: FIRE, version_no: 1 } as never)
  })

/** Puts a notification into the outbox, due now. */
export const putNotice = (
  { store }: Rooms,
  row: Partial<ContractOutboxRow> & { readonly url: string },
): Promise<void> =>
  store.commit((tx) => {
    const of = {
      id: 'one',
      fire: FIRE,
      index: 0,
      headers: {},
      body: null,
      attempts: 0,
      first_tick: tx.meshTick,
      ...row,
    }
    tx.put('contractOutbox', outboxKey(tx.meshTick, of), of)
  })

/** What goes outward of a house, to ports of loopback. */
export const outwardOf = (house: House | Rooms, ports: readonly number[], more: Partial<OutwardPorts> = {}) =>
  createOutward({
    store: house.store,
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      audit: () => undefined,
    },
    signer: webhookSigner(house.keys),
    secretOf: () => undefined,
    gaveUp: noteGivenUp((tx, machine, saying) =>
      sayAsNode({ vault: house.keys.vault, hub: { wake: () => undefined } }, tx, machine, saying),
    ),
    targets: ports.map((port) => `127.0.0.1:${port}`),
    ...more,
  })

/** Rows of the outbox. */
export const outboxRows = async ({ store }: Rooms) => {
  const rows: (readonly [string, ContractOutboxRow])[] = []
  for await (const it of store.range('contractOutbox')) rows.push(it)
  return rows
}
