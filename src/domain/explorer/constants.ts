import { PULSE_HZ_EXACT, TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import { CONSTANTS } from '#numerics/operators/constants.ts'
import { ALPHA, PULSE_HZ } from './kernel-note.ts'
import type { ConstantView } from './views.ts'

const ofService = (key: string, name: string, value: number, unit: string): ConstantView => ({
  key,
  name,
  value,
  unit,
  source: 'tickmesh protocol',
  exact: true,
  uncertainty: 0,
})

const service: readonly ConstantView[] = [
  ofService('HZ', 'pulse frequency, a caption', PULSE_HZ, 'Hz'),
  ofService('HZ_EXACT', 'pulse frequency', PULSE_HZ_EXACT, 'Hz'),
  ofService('SEC', 'tick period', TICK_SECONDS, 's'),
  ofService('TICK_NS', 'tick period', Number(TICK_NS), 'ns'),
  ofService('ALPHA', 'amplitude of the modulation', ALPHA, '1'),
  ofService('PHI_C', 'critical field of the master equation', 1, '1'),
]

const physical: readonly ConstantView[] = CONSTANTS.map(({ key, name, value, unit, source, exact, uncertainty }) => ({
  key,
  name,
  value,
  unit,
  source,
  exact,
  uncertainty: Number(uncertainty),
}))

/** Names that earlier clients ask by, beside the symbols of the table. */
const legacy = [
  ['C', 'c'],
  ['HBAR', 'hbar'],
  ['K_B', 'k_B'],
] as const

const aliases: readonly ConstantView[] = legacy.flatMap(([key, symbol]) =>
  physical.filter((it) => it.key === symbol).map((it) => ({ ...it, key })),
)

/** Every constant that the node computes with: those of the service first, then CODATA's. */
export const allConstants: readonly ConstantView[] = [...service, ...aliases, ...physical]

/** A constant by its exact key, else by its key in any case. */
export const constantByKey = (key: string): ConstantView | undefined =>
  allConstants.find((it) => it.key === key) ?? allConstants.find((it) => it.key.toLowerCase() === key.toLowerCase())
