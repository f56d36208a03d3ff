/** A definition to begin with. */
export interface ContractExample {
  readonly name: string
  readonly about: string
  readonly definition: object
}

const pump = {
  v: 1,
  name: 'pump watch',
  context: { peak: { type: 'number', unit: 'kPa', initial: 0, min: 0 } },
  events: { reading: { data: { pressure: { type: 'number', unit: 'kPa' } } } },
  windows: { mean: { event: 'reading', field: 'pressure', fn: 'avg', ticks: 60 } },
  states: { normal: { initial: true }, alert: {} },
  transitions: [
    {
      ...{ id: 'note', from: 'normal', to: 'normal', priority: 0 },
      trigger: { kind: 'event', event: 'reading' },
      actions: [{ kind: 'set', peak: { $: 'max(context.peak, event.data.pressure)' } }],
    },
    {
      ...{ id: 'rise', from: 'normal', to: 'alert', priority: 1 },
      trigger: { kind: 'event', event: 'reading' },
      guard: 'window.mean != null && window.mean > 300',
    },
    { id: 'calm', from: 'alert', to: 'normal', trigger: { kind: 'after', ticks: 1287 } },
  ],
  claims: [{ never: 'context.peak < 0' }],
}

const nightly = {
  v: 1,
  name: 'nightly heat',
  timezone: 'Europe/Berlin',
  context: { last: { type: 'number', initial: 0 }, runs: { type: 'integer', initial: 0, min: 0 } },
  states: { waiting: { initial: true } },
  transitions: [
    {
      ...{ id: 'night', from: 'waiting', to: 'waiting' },
      trigger: { kind: 'cron', expression: '30 2 * * *' },
      actions: [
        { kind: 'compute', solver: 'heat', inputs: { nx: 32, ny: 32 }, bind: { last: '/value' } },
        { kind: 'set', runs: { $: 'context.runs + 1' } },
      ],
    },
  ],
  budget: { credits_per_day: 50, fires_per_day: 2 },
}

const door = {
  v: 1,
  name: 'door left open',
  context: { times: { type: 'integer', initial: 0, min: 0 } },
  events: { opened: { data: {} }, closed: { data: {} }, forgotten: { data: { times: { type: 'integer' } } } },
  states: { shut: { initial: true }, open: {}, forgotten: {} },
  transitions: [
    { id: 'open', from: 'shut', to: 'open', trigger: { kind: 'event', event: 'opened' } },
    { id: 'shut', from: ['open', 'forgotten'], to: 'shut', trigger: { kind: 'event', event: 'closed' } },
    {
      ...{ id: 'too-long', from: 'open', to: 'forgotten' },
      trigger: { kind: 'after', ticks: 772 },
      actions: [
        { kind: 'set', times: { $: 'context.times + 1' } },
        { kind: 'emit', event: 'forgotten', data: { times: { $: 'context.times' } } },
      ],
    },
  ],
}

/** Definitions to begin with, each without a fault. */
export const examples: readonly ContractExample[] = [
  { name: 'A pump', about: 'alerts on the mean of the last 60 ticks', definition: pump },
  { name: 'Every night', about: 'computes by the clock of a zone, within a budget', definition: nightly },
  { name: 'A door', about: 'waits in a state, then says so', definition: door },
]

/** A definition as a person reads it. */
export const writtenOut = (definition: object): string => `${JSON.stringify(definition, undefined, 2)}\n`
