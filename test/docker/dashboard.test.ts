/**
 * Goal: what operators look at speaks of metrics that are there, by labels that they have; no metric is without a place
 * on the dashboard. Method: dashboard and alert rules are read as data and held against the exposition of a real node.
 */
import assert from 'node:assert/strict'
import { counters, durations } from '#core/telemetry.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { read, yaml } from './folder.ts'

const test = suite('docker/dashboard')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource?: { readonly uid: string }
  readonly targets?: readonly { readonly expr: string }[]
}
interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: { readonly query: string } }[]
  }
}
interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

const dashboard = JSON.parse(read('docker/grafana/dashboards/tickmesh.json')) as Dashboard
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const rules = yaml<{ groups: { name: string; rules: Rule[] }[] }>('docker/alerts.yml').groups.flatMap((it) => it.rules)

const isHistogram = (name: string): boolean => Object.hasOwn(durations, name)

/** The metric behind a series' name. */
const metricOf = (series: string): string => {
  const [, base = ''] = /^(.*)_(?:bucket|sum|count)$/.exec(series) ?? []
  return isHistogram(base) ? base : series
}

const named = (text: string): readonly string[] =>
  [...text.matchAll(/\btickmesh_(\w+)/g)].map(([, it]) => metricOf(it!))

/** Names and labels of the metrics of a real node: those that count from the table, the others as they are exposed. */
const exposed = async (): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  await using node = await testNode()
  const text = await (await fetch(new URL('/metrics', node.url))).text()
  const found = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE tickmesh_(\w+) \w+$/gm)) found.set(name, new Set())
  for (const [, series = '', inner = ''] of text.matchAll(/^tickmesh_(\w+)\{([^}]*)\}/gm)) {
    for (const [, label = ''] of inner.matchAll(/(\w+)="/g)) found.get(metricOf(series))?.add(label)
  }
  for (const [name, { labels }] of Object.entries({ ...counters, ...durations })) {
    for (const label of labels) found.get(name)?.add(label)
  }
  found.get('jobs')?.add('state') // There are no jobs yet.
  return found
}

/** Labels that Prometheus itself gives. */
const GIVEN = ['instance', 'job', 'le']

const labelsIn = (expr: string): readonly string[] => [
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((it) => it.trim())),
  ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) => [...list!.matchAll(/(\w+)\s*=/g)].map(([, it]) => it!)),
]

const FUNCTIONS = ['sum', 'max', 'rate', 'increase', 'histogram_quantile', 'topk', 'by', 'label_values']

/** What promtool would say first: brackets that do not close, functions that do not exist, a rate of no counter. */
const assertWellFormed = (expr: string): void => {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
  for (const sign of expr.replace(/"[^"]*"/g, '')) {
    if ('([{'.includes(sign)) open.push(sign)
    if (')]}'.includes(sign)) assert.equal(open.pop(), pairs[sign], expr)
  }
  assert.deepEqual(open, [], expr)
  for (const [, name = ''] of expr.matchAll(/\b([a-z_]+) ?\(/g)) assert(FUNCTIONS.includes(name), `${name} in ${expr}`)
  for (const [, , series = ''] of expr.matchAll(/\b(rate|increase)\(tickmesh_(\w+)/g)) {
    const counts = Object.hasOwn(counters, series) || isHistogram(metricOf(series)) || series.endsWith('_total')
    assert(counts, `${series} is no counter: ${expr}`)
  }
}

test('every expression names metrics that are there, by labels that they have', async () => {
  const metrics = await exposed()
  for (const expr of [...expressions, ...rules.map((it) => it.expr)]) {
    assertWellFormed(expr)
    const names = named(expr)
    assert(names.length > 0 || /^up\{/.test(expr), expr)
    for (const name of names) assert(metrics.has(name), `no metric is called ${name}: ${expr}`)
    const labels = new Set([...GIVEN, ...names.flatMap((name) => [...(metrics.get(name) ?? [])])])
    for (const label of labelsIn(expr)) assert(labels.has(label), `no label is called ${label}: ${expr}`)
  }
})

test('every metric of the node stands on the dashboard', async () => {
  const shown = new Set(expressions.flatMap(named))
  const own = [...(await exposed()).keys()].filter((name) => !/^(?:process|nodejs)_/.test(name))
  assert.deepEqual(
    own.filter((name) => !shown.has(name)),
    [],
  )
})

test('panels have names, numbers of their own, a source that is provisioned, and do not lie on each other', () => {
  const sources = yaml<{ datasources: { uid: string; url: string }[] }>(
    'docker/grafana/provisioning/datasources/prometheus.yml',
  ).datasources
  const ids = dashboard.panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const cells = new Map<string, string>()
  for (const { title, type, datasource, gridPos } of dashboard.panels) {
    assert(title.length > 0)
    if (type !== 'row') assert(sources.some(({ uid }) => uid === datasource?.uid))
    assert(gridPos.x + gridPos.w <= 24)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.equal(cells.get(`${x},${y}`), undefined, `${title} lies on another`)
        cells.set(`${x},${y}`, title)
      }
    }
  }
  const variables = dashboard.templating.list.map(({ name }) => name)
  for (const expr of expressions) {
    for (const [, name = ''] of expr.matchAll(/\$(\w+)/g)) {
      assert(variables.includes(name) || name === '__rate_interval', `$${name} in ${expr}`)
    }
  }
  const paths = yaml<{ providers: { options: { path: string } }[] }>(
    'docker/grafana/provisioning/dashboards/tickmesh.yml',
  ).providers.map(({ options }) => options.path)
  assert.deepEqual(paths, ['/var/lib/grafana-dashboards'])
})

test('every alert has a name of its own, a severity, and says what to look at', () => {
  const names = rules.map(({ alert }) => alert)
  assert.equal(new Set(names).size, names.length)
  for (const { alert, labels, annotations } of rules) {
    assert.match(alert, /^[A-Z][A-Za-z]+$/)
    assert(['critical', 'warning', 'info'].includes(labels.severity), alert)
    assert.match(annotations.summary, /\{\{ \$labels\.instance \}\}/)
    assert(annotations.description.length > 20, alert)
  }
})

test.run()
