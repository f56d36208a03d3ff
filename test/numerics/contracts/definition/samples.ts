/** A definition with something of everything, and no fault. */
const transition = {
  id: 'up',
  from: 'idle',
  to: 'busy',
  trigger: { kind: 'event', event: 'reading' },
  guard: 'event.data.p > 3 && window.mean != null && oracle.o > 0',
  actions: [
    { kind: 'set', n: { $: 'context.n + 1' }, p: { $: 'event.data.p' }, mode: 'auto' },
    {
      kind: 'compute',
      solver: 'heat',
      inputs: { nx: 32, initial: { size: { $: 'context.n' } } },
      bind: { m: '/value' },
    },
    { kind: 'emit', event: 'alarm', data: { p: { $: 'context.p' } } },
    { kind: 'transfer', to: 'zid', amount: { $: 'context.n + 1' } },
    { kind: 'notify', url: 'https://example.org/hook', body: { n: { $: 'context.n' } }, headers: { 'x-a': 'b' } },
    { kind: 'call', contract: 'other', event: 'go', data: { n: { $: 'fire.tick' } } },
  ],
}

export const good = {
  v: 1,
  name: 'pump watch',
  context: {
    n: { type: 'integer', initial: 0, min: 0, max: 100 },
    p: { type: 'number', initial: 3, unit: 'kPa' },
    m: { type: 'number', initial: 1, unit: 'kg' },
    on: { type: 'boolean', initial: true },
    note: { type: 'text', initial: '' },
    mode: { type: 'choice', of: ['auto', 'off'], initial: 'off' },
  },
  events: {
    reading: { data: { p: { type: 'number', unit: 'kPa' }, ok: { type: 'boolean', optional: true } } },
    alarm: { data: { p: { type: 'number', unit: 'kPa' } } },
  },
  windows: {
    w: { event: 'reading', fn: 'count', ticks: 9 },
    mean: { event: 'reading', field: 'p', fn: 'avg', ticks: 60 },
  },
  oracles: {
    o: { from: { kind: 'machine', slug: 'pump-7', event: 'reading', field: 'p' }, type: 'number', max_age: 100 },
  },
  states: { idle: { initial: true }, busy: { exit: [{ kind: 'set', n: 0 }] } },
  transitions: [
    transition,
    { id: 'back', from: ['idle', 'busy'], to: 'idle', trigger: { kind: 'cron', expression: '*/5 * * * *' } },
  ],
  budget: { credits_per_day: 100 },
  retry: { attempts: 3 },
  claims: [{ never: 'context.n > 50 && state == "idle"' }],
}
