import type { ReactorView, StepView } from '#domain/compute/views/reactor.ts'
import type { ReactorRow, ReactorStepRow } from '#store/rows/reactor.ts'

const statuses = { complete: 'complete', condition: 'stopped', refused: 'refused' } as const

/** A reactor as its readers see it. */
export const reactorView = (
  row: ReactorRow,
  { node, busy }: { readonly node: string; readonly busy: boolean },
): ReactorView => ({
  id: row.id,
  solver: row.solver,
  machine: row.slug,
  id_hash: row.id_hash,
  node,
  contract: row.contract,
  status: row.ended === null ? (busy ? 'stepping' : 'ready') : statuses[row.ended.kind],
  step: row.step,
  ...row.terms,
  state: row.state,
  value: row.value,
  unit: row.unit,
  errorSum: row.error_sum,
  created_tick: row.created_tick,
  moved_tick: row.moved_tick,
  ended: row.ended,
  price: row.price,
})

/** A step as the readers of its reactor see it. */
export const stepView = (row: ReactorStepRow): StepView => ({
  step: row.step,
  tick: row.tick,
  state: row.state,
  previous: row.previous,
  inputs_digest: row.inputs_digest,
  result_digest: row.result_digest,
  errorPct: row.error_pct,
  errorSum: row.error_sum,
  value: row.value,
  token_id: row.token_id,
  observed: row.observed,
  seq: row.seq,
  took_ms: row.took_ms,
})

/** The same for whoever only follows the chain: no value, and no digest of what could be guessed. */
export const chainView = (row: ReactorStepRow): StepView => ({
  ...stepView(row),
  inputs_digest: null,
  result_digest: null,
  value: null,
  took_ms: null,
})
