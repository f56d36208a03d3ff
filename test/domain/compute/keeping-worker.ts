import type { PostedTask, WorkerReply } from '#domain/compute/task.ts'

const MEGABYTE = 1_048_576
const kept: Uint8Array[] = []

/** A pool entry that takes memory outside of its heap, and keeps it or not; its answer is a refusal that says so. */
export const job = ({ inputs, port }: PostedTask): WorkerReply => {
  const { megabytes, keep } = inputs as { megabytes: number; keep: boolean }
  const taken = new Uint8Array(megabytes * MEGABYTE).fill(1)
  if (keep) kept.push(taken)
  port.close()
  return { ok: false, fault: { code: 'OUT_OF_RANGE', detail: '', details: { kept: kept.length } }, bug: '' }
}
