import { checkContract } from '#numerics/contracts/checker/check.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { good } from '../definition/samples.ts'
const UTC = { v: 1, zone: 'UTC', from: 1_735_689_600, until: 2_145_916_800, offset: 0, changes: [] } as const
const show = (d: unknown) => {
  const { contract, faults } = lintContract(d, { cron: () => undefined })
  if (!contract) return console.log(faults)
  const t = process.cpuUsage().user / 1000
  const { findings } = checkContract(contract.definition, { from: 1_767_225_600, zones: { UTC: UTC as never }, priceOf: (a) => a.kind === 'compute' ? 3 : 0 })
  console.log(contract.definition.name, (process.cpuUsage().user / 1000 - t).toFixed(0), 'ms')
  for (const f of findings) console.log(' ', f.severity, f.rule, f.answer, f.path, f.reason, JSON.stringify(f.witness ?? ''), JSON.stringify(f.trace ?? ''))
}
show(good)
const pump = {
  "v": 1, "name": "pump watch",
  "context": { "peak": { "type": "number", "unit": "kPa", "initial": 0 } },
  "events": { "reading": { "data": { "pressure": { "type": "number", "unit": "kPa" } } } },
  "windows": { "mean": { "event": "reading", "field": "pressure", "fn": "avg", "ticks": 60 } },
  "states": { "normal": { "initial": true }, "alert": {} },
  "transitions": [
    { "id": "rise", "from": "normal", "to": "alert", "trigger": { "kind": "event", "event": "reading" },
      "guard": "window.mean != null && window.mean > 300",
      "actions": [{ "kind": "set", "peak": { "$": "max(context.peak, event.data.pressure)" } }] },
    { "id": "calm", "from": "alert", "to": "normal", "trigger": { "kind": "after", "ticks": 1287 } }
  ],
  "claims": [{ "never": "context.peak < 0" }, { "never": "context.peak > 500" }, { never: 'state == "alert" && state_ticks > 100' }, { never: 'state == "alert" && state_ticks > 2000' }]
}
show(pump)
const counter = { v: 1, name: 'counter', context: { n: { type: 'integer', initial: 0 }, on: {type: 'boolean', initial: false} }, events: { go: { data: { x: { type: 'number' } } } },
 states: { a: { initial: true }, b: {}, c: {} , d: {} },
 transitions: [
  { id: 'inc', from: 'a', to: 'a', trigger: { kind: 'event', event: 'go' }, guard: 'context.n < 10', actions: [{ kind: 'set', n: { $: 'context.n + 1' } }] },
  { id: 'full', from: 'a', to: 'b', trigger: { kind: 'event', event: 'go' }, guard: 'context.n >= 10' },
  { id: 'back', from: 'b', to: 'a', trigger: { kind: 'event', event: 'go' }, guard: 'event.data.x > 3' , actions: [{kind:'set', n: 0}]},
  { id: 'back2', from: 'b', to: 'c', trigger: { kind: 'event', event: 'go' }, guard: 'event.data.x < 5' },
  { id: 'l1', from: 'c', to: 'd', trigger: { kind: 'always' }, guard: 'context.n > 100' },
  { id: 'l2', from: 'd', to: 'c', trigger: { kind: 'always' } },
 ],
 claims: [{ never: 'context.n > 10' }, { never: 'context.n == 10 && state == "b"' }, { never: 'state == "d"' }, { never: 'context.n == 7' }] }
show(counter)
import { hostile } from './hostile.ts'
for (const make of hostile) {
  const { contract, faults } = lintContract(make(), { cron: () => undefined })
  if (!contract) { console.log(make.name, faults.slice(0, 3)); continue }
  for (let i = 0; i < 2; i++) {
  const t = process.cpuUsage().user / 1000
  const { findings } = checkContract(contract.definition, { from: 1_767_225_600, zones: { UTC: UTC as never } })
  console.log(contract.definition.name, JSON.stringify(contract.definition).length, (process.cpuUsage().user / 1000 - t).toFixed(0), 'ms', findings.length, JSON.stringify(findings.reduce((a: Record<string, number>, f) => ({ ...a, [f.rule + f.answer]: (a[f.rule + f.answer] ?? 0) + 1 }), {})))
  }
}
