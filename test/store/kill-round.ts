import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeClock } from '#node/clock.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { openRooms, ownerCaller } from '../domain/house.ts'

/** What one round saw. */
export interface KillRound {
  readonly acknowledged: number
  readonly leaves: number
}

/** One envelope that the child said was sealed. */
type Acknowledged = readonly [index: number, token: string]
/** One entry that the child said was recorded. */
type Recorded = readonly [slug: string, seq: number, hash: string]

interface Heard {
  readonly envelopes: readonly Acknowledged[]
  readonly entries: readonly Recorded[]
}

/** Starts the child, lets it acknowledge some envelopes, kills it with SIGKILL, and gives all it acknowledged. */
const loadAndKill = async (directory: string, acks: number): Promise<Heard> => {
  const script = fileURLToPath(new URL('./kill-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const acknowledged: Acknowledged[] = []
  const entries: Recorded[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'ready') continue
      const [index = '', token = '', seq = '', hash = ''] = line.split(' ')
      // A line that the kill cut off acknowledges nothing.
      if (index === 'entry' && /^[0-9a-f]{64}$/.test(hash)) entries.push([token, Number(seq), hash])
      if (/^[0-9a-f]{32}$/.test(token)) acknowledged.push([Number(index), token])
      if (acknowledged.length >= acks) child.kill('SIGKILL')
    }
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(await closed, 'SIGKILL')
  return { envelopes: acknowledged, entries }
}

/**
 * One round: a child seals under load and is killed with −9; then the directory must be whole, and every envelope
 * and machine entry that was acknowledged must be there, at its place.
 *
 * @param acks envelopes to be acknowledged before the kill.
 */
export const killRound = async (directory: string, acks: number): Promise<KillRound> => {
  const { envelopes: acknowledged, entries } = await loadAndKill(directory, acks)
  assert.ok(acknowledged.length >= acks, `${acknowledged.length} acknowledged`)
  const report = await fsck({ directory })
  assert.deepEqual(report.bad, null)
  await using house = await openRooms(directory, nodeClock())
  const owner = ownerCaller(house)
  for (const [index, token] of acknowledged) {
    const row = await house.economy.envelopeRow(token, owner)
    assert.equal(row.index, index)
  }
  assert.ok(entries.length > 0, 'machines were written to')
  for (const [slug, seq, hash] of entries) {
    const row = house.store.peek('machineEntry', keyOf(slug, seqKey(seq)))
    assert.equal(row?.hash, hash, `${slug} ${seq}`)
  }
  return { acknowledged: acknowledged.length, leaves: house.store.log.size }
}
