import { digest, purposes } from './digest.ts'

/** Where a reactor stands after a step, as its digest binds it. */
export interface StatePosition {
  /** Digest of the transition contract. */
  readonly contract: string
  /** Steps taken. */
  readonly step: number
  /** The digest of the state before it; null for step 0. */
  readonly previous: string | null
  /** Digest of the full inputs of the next stretch: everything that it depends on, bit for bit. */
  readonly inputs_digest: string
  /** Digest of output and evidence of the stretch that ended here; null for step 0. */
  readonly result_digest: string | null
}

/** digest(`tickmesh/reactor-state/1`, {contract, step, previous, inputs_digest, result_digest}). */
export const stateDigest = ({ contract, step, previous, inputs_digest, result_digest }: StatePosition): string =>
  digest(purposes.reactorState, { contract, step, previous, inputs_digest, result_digest })

/** A step as it is kept: its place, the digest said of it, and its error. */
export interface KeptStep extends Omit<StatePosition, 'contract'> {
  readonly state: string
  readonly errorPct: number
  readonly errorSum: number
}

/** What a walk along a trajectory found; `broken` is the first step that does not follow from those before it. */
export interface TrajectoryVerdict {
  readonly valid: boolean
  readonly count: number
  readonly broken: { readonly step: number; readonly why: string } | null
}

const wrongWith = (contract: string, before: KeptStep | undefined, it: KeptStep): string | undefined => {
  if (it.step !== (before?.step ?? -1) + 1) return 'a step is missing or out of order'
  if (it.previous !== (before?.state ?? null)) return 'it does not name the state before it'
  if ((it.result_digest === null) !== (it.step === 0)) return 'a step has a result, and the beginning has none'
  if (it.errorSum !== (before === undefined ? 0 : before.errorSum + it.errorPct)) return 'its errors do not add up'
  return stateDigest({ ...it, contract }) === it.state ? undefined : 'its digest is another one'
}

/** A walk that takes steps one by one, from step 0: numbers without gap, digests that link, errors that add up. */
export interface TrajectoryWalk {
  /** @returns whether the trajectory still holds. */
  step(it: KeptStep): boolean
  verdict(): TrajectoryVerdict
}

/** Walks a trajectory under the digest of its contract. */
export const trajectoryWalk = (contract: string): TrajectoryWalk => {
  let before: KeptStep | undefined
  let count = 0
  let broken: TrajectoryVerdict['broken'] = null
  return {
    step: (it) => {
      if (broken !== null) return false
      count += 1
      const why = wrongWith(contract, before, it)
      if (why !== undefined) broken = { step: it.step, why }
      before = it
      return broken === null
    },
    verdict: () => ({ valid: broken === null, count, broken }),
  }
}
