// Goal: no check of a solver can lean on its run, nor a run on its check, by any way round; what both use stands in
// the list with its reason and on the solver's page. Method: small trees with one door in the wall each, beside a whole
// one; the house's own list, entry by entry.
import assert from 'node:assert/strict'
import { type Shared, shared } from '../../scripts/tidy/shared.ts'
import { type Source, sourceOf } from '../../scripts/tidy/source.ts'
import { wallBreaches } from '../../scripts/tidy/wall.ts'
import { suite } from '../kit/suite.ts'

const test = suite('tidy: the wall')

const AT = 'src/numerics/solvers/drop/'

const tree = (files: Readonly<Record<string, string>>): readonly Source[] =>
  Object.entries(files).map(([file, text]) => sourceOf(file, text))

/** A solver as it should be: two sides, what both read, and a file that joins them. */
const WHOLE: Readonly<Record<string, string>> = {
  [`${AT}index.ts`]: `import { solve } from './run/solve.ts'\nimport { check } from './check/check.ts'`,
  [`${AT}plots.ts`]: `import { seen } from './run/solve.ts'\nimport { due } from './check/check.ts'`,
  [`${AT}schema.ts`]: '',
  [`${AT}limits.ts`]: `import type { Input } from './schema.ts'`,
  [`${AT}problem.ts`]: `import { sqrt } from '#numerics/math.ts'`,
  [`${AT}run/solve.ts`]: `import { problemOf } from '#numerics/solvers/drop/problem.ts'\nimport { a } from './step.ts'`,
  [`${AT}run/step.ts`]: `import { loadKernel } from '#numerics/runtime/kernel.ts'\nloadKernel('math')`,
  [`${AT}check/check.ts`]: `import { problemOf } from '#numerics/solvers/drop/problem.ts'`,
  'src/numerics/methods/sum.ts': '',
  'src/numerics/math.ts': '',
  'src/numerics/runtime/kernel.ts': `import { sum } from '#numerics/methods/sum.ts'`,
  'src/numerics/solvers/index.ts': `import { drop } from './drop/index.ts'`,
  'src/numerics/solvers/rain/run/fall.ts': '',
}

const breachesOf = (changed: Readonly<Record<string, string>>, list: readonly Shared[] = []): readonly string[] =>
  wallBreaches(tree({ ...WHOLE, ...changed }), list)

test('a solver of two sides has no breach', () => {
  assert.deepEqual(breachesOf({}), [])
})

test('every door between the sides is seen, types included', () => {
  const doors: readonly (readonly [file: string, text: string, why: RegExp])[] = [
    ['check/check.ts', `import { solve } from '#numerics/solvers/drop/run/solve.ts'`, /check names nothing of run/],
    [
      'check/check.ts',
      `import type { State } from '#numerics/solvers/drop/run/solve.ts'`,
      /check names nothing of run/,
    ],
    ['check/a/b.ts', `export { solve } from '#numerics/solvers/drop/run/solve.ts'`, /check names nothing of run/],
    ['run/step.ts', `import { check } from '#numerics/solvers/drop/check/check.ts'`, /run names nothing of check/],
    ['check/check.ts', `import { drop } from '#numerics/solvers/drop/index.ts'`, /puts run and check together/],
    ['problem.ts', `import { a } from './run/step.ts'`, /names neither run nor check/],
    ['limits.ts', `import { a } from './check/check.ts'`, /names neither run nor check/],
    ['check/check.ts', `import { fall } from '#numerics/solvers/rain/run/fall.ts'`, /names a file of rain/],
  ]
  for (const [file, text, why] of doors) {
    // What both sides then run is named after it.
    const [door = ''] = breachesOf({ [`${AT}${file}`]: text })
    assert.match(door, why)
    assert(door.startsWith(`${AT}${file}:1: `), door)
  }
  const method = breachesOf({ 'src/numerics/methods/sum.ts': `import { a } from '#numerics/solvers/drop/run/step.ts'` })
  assert.match(method.join(), /^src\/numerics\/methods\/sum\.ts:1: a method knows no solver$/)
})

const SUM = 'src/numerics/methods/sum.ts'
const BOTH = {
  [`${AT}check/check.ts`]: `import { sum } from '#numerics/methods/sum.ts'`,
  [`${AT}run/step.ts`]: `import { sum } from '#numerics/methods/sum.ts'`,
}
const LISTED: readonly Shared[] = [{ file: SUM, solvers: ['drop'], why: 'a sum is a sum' }]
const PAGE = { 'protocols/solvers/drop.md': 'Run and check both use `methods/sum.ts`.' }

test('what both sides run needs an entry, and the entry its sentence on the page', () => {
  assert.deepEqual(breachesOf(BOTH), [`${SUM}: run and check of drop both use it: see scripts/tidy/shared.ts`])
  assert.match(breachesOf(BOTH, LISTED).join(), /^protocols\/solvers\/drop\.md: does not name `methods\/sum\.ts`/)
  assert.deepEqual(breachesOf({ ...BOTH, ...PAGE }, LISTED), [])
  assert.deepEqual(breachesOf(PAGE, LISTED), [`scripts/tidy/shared.ts: drop no longer shares ${SUM}`])
})

test('it is found through other files, the index and the name of a kernel; a type is no code', () => {
  const through = {
    [`${AT}index.ts`]: `import { pace } from './pace.ts'\nimport { check } from './check/check.ts'`,
    [`${AT}pace.ts`]: `import { sum } from '#numerics/methods/sum.ts'`,
    [`${AT}check/check.ts`]: `import { other } from './other.ts'`,
    [`${AT}check/other.ts`]: `import { sum } from '#numerics/methods/sum.ts'`,
  }
  assert.match(breachesOf(through).join(), /^src\/numerics\/methods\/sum\.ts: run and check of drop/)
  const ofTypes = { ...through, [`${AT}check/other.ts`]: `import type { Sum } from '#numerics/methods/sum.ts'` }
  assert.deepEqual(breachesOf(ofTypes), [])
  const kernels = { [`${AT}run/step.ts`]: `loadKernel('fall')`, [`${AT}check/check.ts`]: `loadKernel('fall')` }
  assert.match(breachesOf(kernels).join(), /^kernel fall: run and check of drop/)
})

test('every entry of the list has a reason of its own, once for each file', () => {
  for (const { file, solvers, why } of shared) {
    assert(why.length > 10, file)
    assert(solvers.length > 0, file)
  }
  assert.equal(new Set(shared.map(({ file }) => file)).size, shared.length)
})

test.run()
