import { threadMs } from '../thread-time.ts'

/** Milliseconds at some shares of many measurements. */
export interface Times {
  readonly runs: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** @param ms at least one. */
export const timesOf = (ms: readonly number[]): Times => {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { runs: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Milliseconds that a body took by the clock, and those that the process computed in. */
export const timed = <T>(body: () => T): { readonly value: T; readonly ms: number; readonly cpuMs: number } => {
  const from = performance.now()
  const cpu = process.cpuUsage()
  const value = body()
  const { user, system } = process.cpuUsage(cpu)
  return { value, ms: performance.now() - from, cpuMs: (user + system) / 1e3 }
}

/** Calls of one round: the clock of processor time ticks every few milliseconds. */
const CALLS = 16

/**
 * Mean processor time of each item, warm: what others do on a busy machine is not counted.
 *
 * @returns one time an item, in milliseconds a call.
 */
export const meanOf = <T>(items: readonly T[], rounds: number, body: (it: T) => unknown): readonly number[] =>
  items.map((it) => {
    body(it)
    const from = threadMs()
    for (let call = 0; call < rounds * CALLS; call += 1) body(it)
    return (threadMs() - from) / (rounds * CALLS)
  })
