// Goal: who generates a client from the description gets named models, which say what the node takes and answers.
// Method: openapi-typescript on the served document; a program that uses its types is compiled,
// beside one that is wrong in two lines.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import ts from 'typescript-5'
import { suite } from '../kit/suite.ts'
import { document, served } from './openapi-document.ts'

const test = suite('api/openapi: types')

/** The generator builds its text with the compiler's API, which the project's own compiler no longer has. */
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
})

const MS_MAX = 60_000

const generate = async (): Promise<string> => {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  // As the introduction says: a member with a default may be left out.
  return astToString((await openapiTS(served, { silent: true, defaultNonNullable: false })) as never)
}

/** What the compiler has against the files, as `file:line`. */
const misfits = (files: Readonly<Record<string, string>>): readonly string[] => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => name in files || fileExists(name)
  host.readFile = (name) => files[name] ?? readFile(name)
  host.getSourceFile = (name, version) => {
    const text = files[name]
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version)
  }
  const program = ts.createProgram(Object.keys(files), options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

const user = `import type { components, operations } from './interface'
type Models = components['schemas']
const input: Models['HeatInput'] = { nx: 64, scheme: 'adi' }
export const told = ({ field, claim, envelope }: Models['HeatResult']): string =>
  \`\${input.nx} \${field.length} \${claim?.result_digest} \${envelope?.token_id}\`
export const failed = ({ code, retryable }: Models['Problem']): string => (retryable ? 'later' : code)
type Answers = operations['compute.heat']['responses']
export const answered = (it: Models['HeatResult']): Answers[200]['content']['application/json'] => it
export const waits = ({ state, fraction }: Models['Job']): boolean => state === 'running' && fraction < 1
`
const wrong = `import type { components } from './interface'
export const scheme: components['schemas']['HeatInput'] = { scheme: 'spectral' }
export const name = ({ name }: components['schemas']['Machine']): string => name
`

test(
  'named models come out, and a program that uses them compiles',
  async () => {
    const types = await generate()
    for (const name of Object.keys(document.components.schemas)) {
      assert(new RegExp(`^ {8}${name}: `, 'm').test(types), `${name} did not come out`)
    }
    const found = misfits({ '/interface.d.ts': types, '/user.ts': user, '/wrong.ts': wrong })
    const places = found.map((it) => it.split(' ')[0])
    assert.deepEqual(places, ['/wrong.ts:2', '/wrong.ts:3'], found.join('\n'))
  },
  MS_MAX,
)

test.run()
