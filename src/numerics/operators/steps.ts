import type { Json } from '#core/canonical.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import type { Computation, ProtocolStep } from './computation.ts'
import { PRECISE_DIGITS } from './decimal.ts'
import type { OperatorRegistry } from './registry.ts'

type Recorded = Pick<Computation, 'operators' | 'domain' | 'bindings' | 'constants' | 'chain' | 'check'> & {
  readonly registry: OperatorRegistry
}

const measuredOf = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The first five of the seven recorded steps (shapes.md, Pipeline): SELECT, BIND, VALIDATE, COMPUTE, VERIFY. */
export const recordSteps = (it: Recorded): readonly ProtocolStep[] => [
  {
    name: 'SELECT',
    detail: {
      operators: it.operators,
      domain: it.domain,
      mode: 'explicit',
      catalogue_size: it.registry.ids.length,
      registry_version: it.registry.version,
    },
  },
  {
    name: 'BIND',
    detail: {
      constants_release: 'CODATA 2022',
      constants: it.constants,
      inputs: it.bindings.map(({ operator, symbol, value, unit, from, as, given }) => {
        return { operator, symbol, value, unit, from, as, given }
      }),
    },
  },
  {
    name: 'VALIDATE',
    detail: {
      inputs_in_range: it.bindings.length,
      units: 'every input converted to coherent SI units; every equation balances in the seven base units',
      repaired: [],
    },
  },
  {
    name: 'COMPUTE',
    detail: {
      links: it.chain.map(({ id, equation, output, value, unit, method, fed }) => {
        return { id, equation, output, value, unit, method, fed }
      }),
    },
  },
  {
    name: 'VERIFY',
    detail: {
      against: it.check.against,
      digits: PRECISE_DIGITS,
      errorPct: measuredOf(it.check.measured),
      bound: ERROR_PCT_MAX,
      ok: it.check.measured <= ERROR_PCT_MAX,
      links: it.chain.map(({ id, errorPct }) => ({ id, errorPct: measuredOf(errorPct) })),
    },
  },
]

/** What stamps a result, and what was answered. */
export interface Completion {
  readonly pulse: Readonly<Record<string, Json>>
  readonly returned: Readonly<Record<string, Json>>
}

/** All seven steps: those of the computation, then PULSE (tick, phase, R_t) and RETURN as the caller states them. */
export const completeSteps = (
  steps: readonly ProtocolStep[],
  { pulse, returned }: Completion,
): readonly ProtocolStep[] => [...steps, { name: 'PULSE', detail: pulse }, { name: 'RETURN', detail: returned }]
