// Goal: mutants are whole in form, stand where a program says something that tests hold, and each file has tests that
// own it. Method: the compiler's own parser over small texts, held against mutants by hand; owners of real files.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { API } from 'typescript/unstable/sync'
import { known } from '../../scripts/mutate/known.ts'
import { ownersOf } from '../../scripts/mutate/owners.ts'
import { type Mutant, mutantsOf, mutated } from '../../scripts/mutate/sites.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('mutate')

/** The mutants of a text, as the texts that they make of it. */
const madeOf = (text: string): readonly string[] => {
  using dir = tempDir()
  writeFileSync(`${dir.path}/it.ts`, text)
  const project = `${dir.path}/tsconfig.json`
  writeFileSync(project, JSON.stringify({ compilerOptions: { noLib: true, types: [] }, files: ['it.ts'] }))
  const api = new API({ cwd: dir.path })
  try {
    const [parsed] = api.updateSnapshot({ openProject: project }).getProjects()
    const root = parsed?.program.getSourceFile(`${dir.path}/it.ts`)
    assert(root !== undefined)
    return mutantsOf('it.ts', root, text).map((it: Mutant) => mutated(text, it))
  } finally {
    api.close()
  }
}

test('literals, signs, comparisons and terms change', () => {
  assert.deepEqual(madeOf('f(a < 2)'), ['f(a <= 2)', 'f(a >= 2)', 'f(a < 3)', 'f(a < 0)'])
  assert.deepEqual(madeOf('f(a && !b)'), ['f(a || !b)', 'f(!b)', 'f(a)', 'f(a && b)'])
  assert.deepEqual(madeOf('f(a - b)'), ['f(a + b)', 'f(-b)', 'f(a)'])
  assert.deepEqual(madeOf("f('code', true, 0, 1_000n)"), [
    "f('', true, 0, 1_000n)",
    "f('code', false, 0, 1_000n)",
    "f('code', true, 1, 1_000n)",
    "f('code', true, 0, 1001n)",
  ])
  assert(madeOf('f(-x, a - -x)').includes('f(-x, a - x)'))
})

test('types, imports, sentences and what only a bug reaches stay', () => {
  const still = [
    "import { a } from './a.ts'\nexport * from './b.ts'",
    "type T = 1 | 'x' | -2\ninterface I { a: 3 }",
    'const f = <A extends 1>(x: A): 2 => x as never',
    "f('a sentence', { description: 'word' })",
    "assert(a === 1, 'x')\nthrow new RangeError('x')",
  ]
  for (const text of still) assert.deepEqual(madeOf(text), [], text)
})

test('every file of core and every file of a solver has tests that own it', () => {
  for (const file of globSync('src/{core,numerics/solvers}/**/*.ts').filter((it) => !it.includes('/kernels/'))) {
    const owners = ownersOf(file)
    assert(owners.length > 0, file)
    for (const owner of owners) assert(existsSync(`test/${owner}`), `${file}: ${owner}`)
  }
})

test('what is known to survive stands in the sources as it did, with a reason', () => {
  for (const { file, source, was, why } of known) {
    assert(readFileSync(file, 'utf8').includes(source), `${file}: ${source}`)
    assert(source.includes(was) && why.length > 20, source)
  }
})

test.run()
