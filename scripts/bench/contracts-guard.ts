import { Environment } from '@marcbachmann/cel-js'
import { compileExpression, NoValue } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { bench, median, wholeOr } from './bench.ts'

/** Guards as contracts have them; the peer takes numbers for doubles where they have a point. */
const GUARDS = [
  'context.pressure > 300.0',
  'event.data.pressure > context.peak && context.on',
  'window.mean != null && window.mean > 300.0 && event.data.pressure - window.mean > 2.5 * context.spread',
  'context.mode in ["auto", "watch", "night"] && !context.held',
  'has(event.data.flow) ? event.data.flow * 60.0 < context.peak : context.pressure / 2.0 >= 150.0',
  '(context.pressure - 273.15) * 9.0 / 5.0 + 32.0 > 100.0 || context.mode == "off" || state == "alert"',
]

const VALUES = {
  context: { pressure: 301, peak: 280, on: true, held: false, mode: 'watch', spread: 0.5 },
  event: { data: { pressure: 305, flow: 3 } },
  window: { mean: 302 },
  state: 'normal',
}

const ROUNDS = 15

/** Milliseconds of processor for some calls. */
const spent = (calls: number, run: () => unknown): number => {
  const { user, system } = process.cpuUsage()
  for (let i = 0; i < calls; i += 1) run()
  const now = process.cpuUsage({ user, system })
  return (now.user + now.system) / 1_000
}

const peer = new Environment()
for (const root of ['context', 'event', 'window']) peer.registerVariable(root, 'map')
peer.registerVariable('state', 'string')

/** Both take turns, so that whatever else the machine does meets both; the middle of the ratios counts. */
const measure = (text: string, calls: number) => {
  const ours = compileExpression(parseExpression(text))
  const theirs = peer.parse(text)
  const [value, other] = [ours(VALUES), theirs(VALUES)]
  if (value instanceof NoValue || value !== other) throw new Error(`${text} gives two values`)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const mine = spent(calls, () => ours(VALUES))
    return { mine, ratio: mine / spent(calls, () => theirs(VALUES)) }
  })
  return { ns: (median(rounds.map(({ mine }) => mine)) / calls) * 1e6, ratio: median(rounds.map(({ ratio }) => ratio)) }
}

export const contractsGuard = bench({
  name: 'contracts-guard',
  summary: 'a guard of a contract against @marcbachmann/cel-js, both made ready: ns and ratio [calls a round]',

  async run([word]) {
    const calls = wholeOr(word, 200_000)
    const found = GUARDS.map((text) => ({ text, ...measure(text, calls) }))
    for (const { text, ns, ratio } of found)
      console.log(`${ns.toFixed(0).padStart(6)} ns  ${ratio.toFixed(3)}  ${text}`)
    console.log(`worst ratio ${Math.max(...found.map(({ ratio }) => ratio)).toFixed(3)}`)
  },
})
