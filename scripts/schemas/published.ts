import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonical, type Json } from '#core/canonical.ts'
import { COMPUTE_SOLVER, UNCERTAIN_SOLVER } from '#numerics/operators/sealed.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** What a published schema says: where arrays and unions stand, which a digest follows, and what members there are. */
const keywords = ['additionalProperties', 'const', 'enum', 'required', 'type', 'x-shape', 'x-type']
/** Keywords that hold schemas: one, a list, or one for every name. */
const single = ['additionalProperties', 'items']
const lists = ['anyOf', 'oneOf', 'prefixItems']
const byNames = ['patternProperties', 'properties']

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const formAt = (name: string, value: unknown): unknown => {
  if (single.includes(name)) return isNode(value) ? formOf(value) : value
  if (lists.includes(name)) return (value as readonly Node[]).map(formOf)
  if (!byNames.includes(name)) return value
  return Object.fromEntries(Object.entries(value as Node).map(([member, schema]) => [member, formOf(schema as Node)]))
}

/** A schema without words, defaults and bounds, which may change while a revision stands. */
export const formOf = (schema: Node): Node => {
  const kept = [...keywords, ...single, ...lists, ...byNames]
  const entries = Object.entries(schema).filter(([name, value]) => kept.includes(name) && value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, formAt(name, value)]))
}

/** The text of a published file: members by name, so that nothing but the form changes a byte. */
export const publishedText = (
  revision: string,
  schemas: { readonly input: object; readonly output: object },
): string => {
  const defs = { input: formOf(schemas.input as Node), output: formOf(schemas.output as Node) }
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: revision, $defs: defs }
  return `${JSON.stringify(JSON.parse(canonical(document as unknown as Json)), undefined, 1)}\n`
}

/** Operators take and give no typed arrays: their digests need no schema. */
const bare = { input: {}, output: {} }

/** The text of every revision that this code runs, by `name@revision`. */
export const currentTexts = (): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...[COMPUTE_SOLVER, UNCERTAIN_SOLVER].map((it) => [it, publishedText(it, bare)] as const),
    ...solvers.map((it) => {
      const revision = `${it.name}@${it.revision}`
      return [revision, publishedText(revision, it)] as const
    }),
  ])

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Every published file with the SHA-256 of its bytes, so that a folder taken elsewhere can be held against it. */
const INDEX = 'index.json'

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')

/**
 * Publishes what is not there yet and writes the index. What is published is never rewritten: where a text differs from
 * its file, or a file from the index, that is a fault, and nothing is written.
 *
 * @param check writes nothing; what is not published yet is a fault as well.
 * @returns a line for each file written, and for each fault.
 */
export const publish = (
  folder: string,
  texts: Readonly<Record<string, string>>,
  check: boolean,
): { readonly written: readonly string[]; readonly faults: readonly string[] } => {
  const missing = Object.keys(texts).filter((it) => !existsSync(join(folder, `${it}.json`)))
  const changed = Object.keys(texts).filter((it) => !missing.includes(it) && read(folder, `${it}.json`) !== texts[it])
  const known = existsSync(join(folder, INDEX)) ? (JSON.parse(read(folder, INDEX)) as Record<string, string>) : {}
  const broken = Object.entries(known).filter(
    ([file, digest]) => !existsSync(join(folder, file)) || digestOf(read(folder, file)) !== digest,
  )
  const faults = [
    ...changed.map((it) => `${it}.json is published and would change: raise the revision`),
    ...broken.map(([file]) => `${file} is in the index, and was changed or removed`),
    ...(check ? missing.map((it) => `${it}.json is not published`) : []),
  ]
  if (check || faults.length > 0) return { written: [], faults: [...faults, ...(check ? unlisted(folder, known) : [])] }
  for (const it of missing) writeFileSync(join(folder, `${it}.json`), texts[it] ?? '')
  const files = schemaFiles(folder).map((file) => [file, digestOf(read(folder, file))])
  writeFileSync(join(folder, INDEX), `${JSON.stringify(Object.fromEntries(files), undefined, 1)}\n`)
  return { written: missing.map((it) => `${it}.json`), faults }
}

/** Names of the published files. */
export const schemaFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.includes('@'))
    .sort()

const unlisted = (folder: string, known: Readonly<Record<string, string>>): readonly string[] =>
  schemaFiles(folder)
    .filter((file) => !Object.hasOwn(known, file))
    .map((file) => `${file} is not in the index`)
