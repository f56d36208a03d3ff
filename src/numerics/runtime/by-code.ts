import type { Code } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import type { Replayed } from '#core/verify.ts'

/** What a re-run gave. */
export type Rerun = Exclude<Replayed, { readonly unavailable: string }>

/** The part of `code` that runs: what is read as data beside it, rows and constants, is compared where it is read. */
type Running = Pick<Code, 'solver' | 'math' | 'kernels'>

/** How the code of a claim differs from the code here, each difference named; undefined when it is the same. */
export const otherCode = (own: Running, claimed: Running): string | undefined => {
  if (claimed.solver !== own.solver) return `The claim was made by ${claimed.solver}; here is ${own.solver}.`
  const kernels = [...new Set([...Object.keys(claimed.kernels), ...Object.keys(own.kernels)])].sort()
  const compared = [
    ['math module', claimed.math, own.math],
    ...kernels.map((name) => [`kernel ${name}`, claimed.kernels[name] ?? 'none', own.kernels[name] ?? 'none']),
  ]
  const unequal = compared.filter(([, theirs, ours]) => theirs !== ours)
  const differences = unequal.map(
    ([what, theirs, ours]) => `The claim was made with the ${what} ${theirs}; here is ${ours}.`,
  )
  return differences.length === 0 ? undefined : differences.join(' ')
}

/**
 * A re-run by code that may not be the claim's: marked as such, and unavailable instead of refused, since what other
 * code refuses says nothing of the claim.
 *
 * @param other how the code differs, or undefined when it does not.
 */
export const byCode = (other: string | undefined, run: () => Rerun): Replayed => {
  if (other === undefined) return run()
  try {
    return { ...run(), otherCode: other }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { unavailable: `${other} It refuses these inputs: ${cause.message}` }
  }
}
