import { digest } from '#core/digest.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { compileExpression, NoValue, type ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { ofContracts } from './core.ts'

const watch = {
  v: 1,
  name: 'pump watch',
  context: { peak: { type: 'number', unit: 'kPa', initial: 0 }, n: { type: 'integer', initial: 0, min: 0 } },
  events: { reading: { data: { pressure: { type: 'number', unit: 'kPa' } } } },
  windows: { mean: { event: 'reading', field: 'pressure', fn: 'avg', ticks: 60 } },
  states: { normal: { initial: true }, alert: {} },
  transitions: [
    {
      ...{ id: 'rise', from: 'normal', to: 'alert', trigger: { kind: 'event', event: 'reading' } },
      guard: 'window.mean != null && window.mean > 300 && event.data.pressure > context.peak',
      actions: [{ kind: 'set', peak: { $: 'event.data.pressure' }, n: { $: 'context.n + 1' } }],
    },
    { id: 'calm', from: ['alert'], to: 'normal', trigger: { kind: 'after', ticks: 1_287 } },
  ],
  claims: [{ never: 'context.n < 0' }],
}

const earlier = {
  ...{ name: 'timelock', version: '1.0', observers: [], audit_clock: true },
  states: { held: { initial: true }, released: { terminal: true } },
  transitions: [
    {
      ...{ from: 'held', to: 'released', operator: 'KO42', proof_required: false, auto: false },
      trigger: { kind: 'on_event', event: 'sign' },
      condition: 'input.acknowledged == true && amount > 0',
      post_actions: [{ type: 'emit', event: 'released' }],
    },
  ],
}

const values = {
  context: { n: 5, z: 0, on: true, mode: 'auto', none: null },
  event: { data: { x: 2 } },
  state: 'idle',
} satisfies ReadValues

const expressions = [
  'context.n * 2 + 1 > 10',
  '-7 % 4',
  '0 * -1',
  '!context.on || context.mode in ["auto", "off"]',
  'context.none == null ? [10, 20][1] : 0',
  'has(event.data.y) && event.data.y > 1',
  'round(2.5) + round(-2.5)',
  'size("\ud83d\ude00a")',
  'pow(2, 0.5) * sin(1)',
  'context.n / context.z > 1',
  'event.data.y > 1 || true',
  'context.none > 1',
  'context.n == context.mode',
  '[1, 2][2]',
  'context.constructor',
]

const outcome = (text: string) => {
  const value = compileExpression(parseExpression(text))(values)
  return value instanceof NoValue ? { refused: value.reason, position: value.position } : { value }
}

/** Definitions with their normal form and version, and expressions with what they give. */
export const contractVectors = () => ({
  about:
    'Definitions of contracts, the normal form and version of each; expressions over `values`, each with its value, ' +
    'or why it has none and where: wire/contract.md.',
  digests: ofContracts.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  definitions: [watch, earlier].map((given) => {
    const { contract } = lintContract(given, { cron: () => undefined })
    return { given, normal: contract?.definition, version: contract?.version }
  }),
  values,
  expressions: expressions.map((text) => ({ text, ...outcome(text) })),
})
