import Type from 'typebox'
import { count, hex64, json, meshTick, model, oneOf, orNull, tick } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { statuses } from '#domain/machines/views.ts'

const contractStatuses = ['paused', 'live', 'frozen'] as const

/** Whether a machine still writes. */
export const awareness = model('Awareness', {
  slug: Type.String(),
  status: oneOf(statuses),
  aware: Type.Boolean({ description: 'Whether it is active and wrote within the window.' }),
  last_tick: tick({ description: 'Node tick of the last entry.' }),
  silent_ticks: count({ description: 'Ticks since then.' }),
  window_ticks: count(),
  head: Type.Object({ seq: count(), hash: hex64() }, { description: 'The last entry.' }),
  contracts: Type.Object({ live: count(), paused: count(), frozen: count() }, { description: 'Contracts by status.' }),
  next_due_mesh_tick: orNull(meshTick(), { description: 'When a live contract is looked at next by the clock.' }),
  pages: count({ description: 'Hosted pages.' }),
})
export type Awareness = View<typeof awareness>

const lastReading = Type.Object({
  value: json({ description: 'Null where it is withheld.' }),
  withheld: Type.Boolean({ description: 'Whether the value is for members alone.' }),
  mesh_tick: meshTick({ description: 'Of the value, at its source.' }),
  age_ticks: count({ description: 'Mesh ticks since then.' }),
  source: Type.String({ description: '`contract:<id>`, `machine:<slug>/<seq>` or `url:<host>`.' }),
  basis: oneOf(['attested', 'node'], { description: 'Signed by its source, or on the word of this node.' }),
  fire_no: count({ description: "Row of the contract's audit." }),
  seq: orNull(count(), { description: 'Entry of the chain that says so.' }),
})

/** An oracle of a contract, with what it gave last. */
export const oracleView = model('OracleFeed', {
  contract: Type.String(),
  contract_name: Type.String(),
  contract_status: oneOf(contractStatuses),
  oracle: Type.String(),
  from: json({ description: 'What it reads: `{kind: contract | machine | url, …}`.' }),
  type: Type.String(),
  unit: orNull(Type.String()),
  max_age: count({ description: 'Ticks after which a value is stale.' }),
  on_stale: Type.String(),
  last: orNull(lastReading, { description: 'Null where no fire of the newest 64 read it.' }),
  stale: Type.Boolean({ description: 'Whether the last value is older than `max_age`, or there is none.' }),
})
export type OracleView = View<typeof oracleView>

/** What feeds a machine. */
export const oracleListing = model('OracleListing', {
  slug: Type.String(),
  tick: tick(),
  oracles: Type.Array(oracleView),
  next_after: orNull(Type.String(), { description: 'Where the next page begins; null at the end.' }),
})
export type OracleListing = View<typeof oracleListing>
