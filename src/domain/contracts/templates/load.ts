import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault } from '#core/fault.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { fitting } from '#core/schema.ts'
import { type Template, template } from './schema.ts'

const DIRECTORY = fileURLToPath(new URL('../../../../protocols/contracts', import.meta.url))

let loaded: ReadonlyMap<string, Template> | undefined

/** The text of a file, as the template that it is. @throws Fault INVALID_INPUT that names the file and what is wrong. */
const templateOf = (file: string): Template => {
  try {
    return fitting(template, JSON.parse(readFileSync(`${DIRECTORY}/${file}`, 'utf8')))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Fault('INVALID_INPUT', `protocols/contracts/${file}: ${why}`, { file })
  }
}

const read = (): ReadonlyMap<string, Template> => {
  const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.json'))
  return new Map(
    files.sort().map((file) => {
      const it = templateOf(file)
      return [it.id, it]
    }),
  )
}

/** The templates of `protocols/contracts`, read once a process: nothing changes them. */
export const loadTemplates = (): readonly Template[] => {
  loaded ??= read()
  return [...loaded.values()]
}

/** One template. @throws Fault NOT_FOUND with names that may have been meant. */
export const templateById = (id: string): Template => {
  const all = loadTemplates()
  const found = loaded?.get(id)
  if (found !== undefined) return found
  const near = slipsOf(
    id,
    all.map((it) => it.id),
  )
  throw new Fault('NOT_FOUND', `There is no template ${shortened(id)}.${didYouMean(near)}`, { suggestions: near })
}
