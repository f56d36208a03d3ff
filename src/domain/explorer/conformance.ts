import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Conformance } from './explorer.ts'
import { checkVectors, type Tally } from './vectors.ts'
import type { Manifest } from './views.ts'

const nameless = (path: string): string => path.replace(/\{\w+\}/g, '{}')

/** A row stands when the node answers its method and path, with the credential that the row asks for. */
const standing = (table: string, manifest: Manifest): Tally => {
  const here = new Set(manifest.endpoints.map(({ method, path, auth }) => `${method} ${nameless(path)} ${auth}`))
  const [, ...lines] = table.trimEnd().split('\n')
  const passed = lines.filter((line) => {
    const [, method = '', path = '', auth = ''] = line.split('\t')
    return here.has(`${method} ${nameless(path)} ${auth}`)
  }).length
  return { passed, total: lines.length }
}

/** Measured once, when it is first asked for. @param root folder of package.json. */
export const createConformance = (root: string, manifest: () => Manifest): (() => Promise<Conformance>) => {
  let made: Promise<Conformance> | undefined
  const make = async (): Promise<Conformance> => ({
    rows: standing(await readFile(join(root, 'protocols', 'endpoints.tsv'), 'utf8'), manifest()),
    vectors: await checkVectors(join(root, 'protocols', 'vectors')),
  })
  return () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
}
