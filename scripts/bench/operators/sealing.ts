import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testNode } from '../../../test/kit/node.ts'
import { type Times, timesOf } from './times.ts'

/** A computation to be sealed. */
export interface Call {
  readonly operators: readonly string[]
  readonly inputs: Readonly<Record<string, number | string>>
  readonly solve_for: string
}

const GRANT = 1_000_000_000
/** Calls before those that are measured. */
const WARM = 50

const each = async (calls: readonly Call[], body: (call: Call) => Promise<unknown>): Promise<Times> => {
  for (const call of calls.slice(0, WARM)) await body(call)
  const ms: number[] = []
  for (const call of calls) {
    const from = performance.now()
    await body(call)
    ms.push(performance.now() - from)
  }
  return timesOf(ms)
}

/** Calls sealed by a node in this process one after the other: by its service, and through HTTP. */
export const sealedTimes = async (
  calls: readonly Call[],
): Promise<{ readonly service: Times; readonly http: Times }> => {
  await using it = await testNode({
    realTime: true,
    settings: { 'limits.keyCallsPerMinute': GRANT },
  })
  const owner = it.as(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim())
  const { zid } = await owner.call('economy.credits', {})
  await owner.call('economy.grant', { zid, credits: GRANT, reason: 'bench' })
  const { compute } = it.node.services
  const caller = { kind: 'owner', bucket: 'bench', zid, keyId: 'bench', account: zid, shared: false } as const
  const { signal } = new AbortController()
  const service = await each(calls, (call) => compute.operate(call, { caller, route: 'POST /api/svc/compute', signal }))
  const http = await each(calls, (call) => owner.send('POST', '/api/svc/compute', call))
  return { service, http }
}
