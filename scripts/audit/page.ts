import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import { auditedRevision, type Finding } from './cases.ts'
import { knownOf } from './known.ts'

/** Rows of the table of the worst. */
const WORST_SHOWN = 10
/** Arrays longer than this are told by their length. */
const ARRAY_SHOWN = 6
const INPUT_SHOWN = 160

const shortened = (input: object): string => {
  const text = JSON.stringify(input, (_, it: unknown) =>
    Array.isArray(it) && it.length > ARRAY_SHOWN ? `${it.length} values` : it,
  )
  const plain = text.replaceAll('"', '').replaceAll('|', '\\|')
  return plain.length > INPUT_SHOWN ? `${plain.slice(0, INPUT_SHOWN)}…` : plain
}

/** Digits enough to see a thousandth of the bound; the rest belongs to the files of cases. */
const digits = (x: number): string => String(Number(x.toPrecision(9)))
const percent = (x: number): string => (x === 0 ? '0' : Number(x.toPrecision(3)).toExponential())

/** Whether a number was sealed that is further from the truth than a seal allows. */
export const isWrong = ({ realPct }: Finding): boolean => realPct !== undefined && !(realPct <= ERROR_PCT_MAX)

/** Whether a number was sealed that is beyond the bound, and nothing says why. */
export const isUnexplained = (it: Finding): boolean => isWrong(it) && knownOf(it) === undefined

const verdictOf = (it: Finding): string => {
  if (!isWrong(it)) return it.refused ?? 'sealed'
  const known = knownOf(it)
  return known === undefined ? '**sealed, beyond the bound**' : '**sealed, beyond the bound** (known)'
}

const HEAD = '| input | member | value | reference | real % | stated % | |\n|---|---|---|---|---|---|---|'

/** @param before the row above: an input that is the same is not told again. */
const row = (it: Finding, before?: Finding): string => {
  const { input, path, reference } = it.case
  const told = before?.case.input === input ? '″' : shortened(input)
  const [value, real, stated] = [
    it.value === undefined ? '' : digits(it.value),
    it.realPct === undefined ? '' : percent(it.realPct),
    it.statedPct === undefined ? '' : percent(it.statedPct),
  ]
  return `| ${told} | ${path} | ${value} | ${digits(reference)} | ${real} | ${stated} | ${verdictOf(it)} |`
}

const worstOf = (findings: readonly Finding[]): string => {
  const sealed = findings.filter(({ realPct }) => realPct !== undefined)
  const worst = sealed.sort((a, b) => (b.realPct ?? 0) - (a.realPct ?? 0)).slice(0, WORST_SHOWN)
  const rows = worst.map((it) => row(it).replace('| ', () => `| ${it.solver} `))
  return [HEAD, ...rows].join('\n')
}

/** Why numbers of a solver are known to be beyond the bound, each reason once. */
const reasonsOf = (findings: readonly Finding[]): readonly string[] => {
  const wrong = findings.filter(isWrong).flatMap((it) => knownOf(it) ?? [])
  const lines = [...new Set(wrong)].map(({ path, why }) => `- \`${path.source.replaceAll('\\', '')}\`: ${why}`)
  return lines.length === 0 ? [] : [`Known to be beyond the bound:\n${lines.join('\n')}`]
}

const sectionOf = (name: string, findings: readonly Finding[]): string => {
  const ways = [...new Set(findings.map((it) => it.case.by))]
  const revisions = [...new Set(findings.map((it) => auditedRevision(name, it.case.input)))]
  return [
    `## ${revisions.join(', ')}`,
    `${totalsOf(findings)} References: ${ways.join('; ')}.`,
    ...reasonsOf(findings),
    [HEAD, ...findings.map((it, at) => row(it, findings[at - 1]))].join('\n'),
  ].join('\n\n')
}

/** How many numbers were sealed, how many refused, how many sealed and wrong, as a sentence. */
export const totalsOf = (findings: readonly Finding[]): string => {
  const refused = findings.filter((it) => it.refused !== undefined).length
  const wrong = findings.filter(isWrong).length
  const problems = new Set(findings.map((it) => `${it.solver} ${JSON.stringify(it.case.input)}`)).size
  const sealed = findings.length - refused
  const verdicts = `${sealed} sealed, ${refused} refused, ${wrong} sealed and more than ${ERROR_PCT_MAX} % off`
  return `${problems} problems, ${findings.length} numbers: ${verdicts}.`
}

/** What stands above the tables: how they came about and what their columns mean. */
const INTRODUCTION = `# Audit

Problems that somebody who had not read the solvers' checks wrote down, each with a number worked out by other
programs: NumPy, SciPy and mpmath, closed forms, brute force. \`scripts/audit/<name>.py\` makes the references and
\`<name>.json\` holds them; \`npm run audit\` runs every problem through the run and the gate of a node and writes
this page. \`real %\` is the distance of the sealed value from the reference, in percent of it (or of the scale
that the case names, such as the largest value of a field); \`stated %\` is what the check measured, which is of
the whole result. A refused row shows its code: there nothing was sealed. References that are themselves uncertain
by more than a hundredth of a percent are not listed.`

/** The page of what was found, the same bytes for the same findings. */
export const auditPage = (findings: readonly Finding[]): string => {
  const byName = Map.groupBy(findings, ({ solver }) => solver)
  const parts = [
    INTRODUCTION,
    totalsOf(findings),
    `## The ${WORST_SHOWN} furthest off`,
    worstOf(findings),
    ...[...byName].map(([name, its]) => sectionOf(name, its)),
  ]
  return `${parts.join('\n\n')}\n`
}
