// `node scripts/operators.ts [--with FILE.jsonl …] [--only DOMAIN|ID …]`: every row held against its rules, each row
// that breaks one named with what broke; then rows by field of knowledge and domain, the worst deviations seen and the
// pairs that are one relation in other letters and that nobody has looked through. `--with` adds rows that do not stand
// in the table yet; then only those are judged unless `--only` says. Exits 1 when a row breaks a rule.
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Operator, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { seeded } from '../test/kit/random.ts'
import { alikeRows } from '../test/numerics/operators/alike.ts'
import { reviewedPairs } from '../test/numerics/operators/alike-reviewed.ts'
import { isEvaluable, rowRules } from '../test/numerics/operators/row-rules.ts'

/** Draws of one row. */
const DRAWS = 60
/** Rows named in each list of the worst. */
const WORST_SHOWN = 5

/** The fields of knowledge: rows wanted in each, and the domains that count to it. */
const FIELDS: readonly (readonly [string, number, readonly string[]])[] = [
  ['quantum', 70, ['quantum-mechanics']],
  ['classical mechanics', 105, ['classical-mechanics', 'dynamical-systems']],
  ['relativity and gravitation', 60, ['relativity']],
  ['electromagnetism and circuits', 130, ['electromagnetism', 'circuits']],
  ['thermodynamics', 80, ['thermodynamics']],
  ['statistical mechanics', 45, ['statistical-mechanics']],
  ['fluids', 95, ['fluid-dynamics']],
  ['acoustics and waves', 60, ['acoustics']],
  ['optics and photonics', 70, ['optics']],
  ['nuclear and particle', 60, ['nuclear-physics', 'particle-physics', 'lattice-gauge-theory']],
  ['plasma', 35, ['plasma-physics']],
  ['solid state and semiconductors', 70, ['solid-state']],
  ['materials and fracture', 55, ['materials']],
  ['structural and civil', 80, ['structural-mechanics', 'civil-engineering']],
  ['geophysics and ocean', 60, ['geophysics', 'oceanography']],
  ['atmosphere and climate', 45, ['atmosphere']],
  ['astrophysics and orbital', 80, ['astrophysics', 'orbital-mechanics']],
  ['chemistry and kinetics', 70, ['chemistry', 'molecular-physics']],
  ['biophysics, pharmacokinetics, medicine', 50, ['biology', 'population-dynamics', 'medicine']],
  ['signal processing and control', 80, ['signal-processing', 'control']],
  ['statistics and information', 60, ['statistics', 'information-theory']],
  ['finance', 45, ['finance']],
  [
    'computer science, queueing, networks',
    41,
    ['computer-science', 'logic', 'number-theory', 'optimisation', 'kernel'],
  ],
  ['power, energy, environment', 51, ['power-systems', 'energy', 'environment']],
]

const { values: flags } = parseArgs({
  options: { with: { type: 'string', multiple: true }, only: { type: 'string', multiple: true } },
})

const rowsOf = (file: string): readonly unknown[] => rowsOfText(readFileSync(file, 'utf8'))
const added = (flags.with ?? []).flatMap(rowsOf)
const registry = operatorRegistry([...globSync('protocols/operators/*.jsonl').sort().flatMap(rowsOf), ...added])
const addedIds = new Set(added.map((row) => (row as { readonly id: string }).id))

const isAsked = ({ row }: Operator): boolean => {
  if (flags.only !== undefined) return flags.only.some((it) => it === row.id || it === row.domain)
  return addedIds.size === 0 || addedIds.has(row.id)
}
const judged = registry.operators.filter(isAsked)

interface Figures {
  readonly id: string
  readonly example: number
  readonly back: number
  readonly drawn: number
}

const rules = rowRules(registry)
const random = seeded()
const complaints: string[] = []

const namesOf = ({ relation }: Operator): readonly string[] =>
  [...relation().quantities.values()].map((it) => it.name.toLowerCase())

const judge = (it: Operator): readonly Figures[] => {
  try {
    if (new Set(namesOf(it)).size < namesOf(it).length) throw new Error(`${it.row.id}: two variables have one name`)
    const example = rules.example(it)
    rules.everyVariableCounts(it)
    return [{ id: it.row.id, example, back: rules.thereAndBack(it), drawn: rules.drawn(it, random, DRAWS) }]
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown)
    complaints.push(said.startsWith(it.row.id) ? said : `${it.row.id}: ${said}`)
    return []
  }
}

const figures = judged.filter(isEvaluable).flatMap(judge)

const worst = (what: 'example' | 'back' | 'drawn'): string =>
  [...figures]
    .sort((a, b) => b[what] - a[what])
    .slice(0, WORST_SHOWN)
    .map((it) => `${it.id} ${it[what].toExponential(1)}`)
    .join(', ')

const countIn = (domains: readonly string[]): readonly Operator[] =>
  registry.operators.filter(({ row }) => domains.includes(row.domain))
const known = new Set(FIELDS.flatMap(([, , domains]) => domains))
const strays = registry.operators
  .filter(({ row }) => !known.has(row.domain))
  .map(({ row }) => `${row.id}: ${row.domain}`)

console.log('rows wanted refused  field')
for (const [field, wanted, domains] of FIELDS) {
  const of = countIn(domains)
  const refused = of.filter(({ row }) => row.refused !== undefined).length
  const parts = domains.map((domain) => `${domain} ${countIn([domain]).length}`).join(', ')
  const counts = [of.length, wanted, refused].map((it, i) => String(it).padStart([4, 7, 8][i] ?? 0)).join('')
  console.log(`${counts}  ${field}${domains.length > 1 ? ` (${parts})` : ''}`)
}
const refusedAll = registry.operators.filter(({ row }) => row.refused !== undefined).length
console.log(`${registry.operators.length} rows, ${refusedAll} of them refused as what they are; ${registry.version}`)
if (strays.length > 0) console.log(`of no field: ${strays.join(', ')}`)
console.log(`judged: ${figures.length} evaluable rows; worst deviations (relative)`)
console.log(`  dimensions: none, their exponents are fractions; ${figures.length} balance`)
console.log(`  worked examples: ${worst('example')}`)
console.log(`  solved and back: ${worst('back')}`)
console.log(`  drawn at random, of 50 digits: ${worst('drawn')}`)
const isSound = (it: Operator): boolean => isEvaluable(it) && !complaints.some((said) => said.startsWith(it.row.id))
const reviewed = new Set(reviewedPairs.map(({ pair }) => pair.join(' ')))
const alike = alikeRows(registry, registry.operators.filter(isSound), (it) => judged.includes(it))
  .map((pair) => [...pair].sort().join(' '))
  .filter((pair) => !reviewed.has(pair))
for (const pair of alike) console.log(`BROKEN one relation in other letters: ${pair}`)
for (const said of complaints) console.log(`BROKEN ${said}`)
process.exitCode = complaints.length + strays.length + alike.length > 0 ? 1 : 0
