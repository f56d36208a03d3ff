// The description of the interface as files that people read and merge: the introduction as text, each solver by
// itself, then each domain; what several of them share stands in one file of its own.

type Part = Readonly<Record<string, unknown>>
type Kind = 'schemas' | 'parameters' | 'headers' | 'responses'
type Components = Readonly<Record<Kind, Part>> & { readonly securitySchemes: Part }

/** What this needs to know of a description. */
export interface Description {
  readonly info: Part & { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>
  readonly components: Components
}

const COLUMNS = 120
const SHARED = 'shared.json'
const kinds: readonly Kind[] = ['parameters', 'headers', 'responses', 'schemas']

/** JSON in which whatever fits into a line stands in one. */
export const printed = (value: unknown, indent = '', before = 0): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Array.isArray(value)
    ? value.map((it: unknown) => ['', it] as const)
    : Object.entries(value).map(([name, it]: [string, unknown]) => [`${JSON.stringify(name)}: `, it] as const)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const space = Array.isArray(value) ? '' : ' '
  const line = (): string => {
    const parts = entries.map(([name, it]) => name + printed(it, '', -Infinity))
    return parts.length === 0 ? `${open}${close}` : `${open}${space}${parts.join(', ')}${space}${close}`
  }
  const flat = line()
  // A comma may follow.
  if (indent.length + before + flat.length < COLUMNS) return flat
  const inner = `${indent}  `
  const lines = entries.map(([name, it]) => `${inner}${name}${printed(it, inner, name.length)}`)
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Names of components that a part refers to, as `schemas/Claim`. */
const referred = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, it]: [string, unknown]) =>
    name === '$ref' && typeof it === 'string' ? [it.replace('#/components/', '')] : referred(it),
  )
}

/** The file of an operation: of its solver, or of the domain that its id begins with. */
const fileOf = ({ operationId, tags }: Part): string => {
  const [domain, name] = String(operationId).split(/[.@]/)
  return (tags as readonly string[]).includes('Solvers') ? `solvers/${name}.json` : `${domain}.json`
}

/** Files by component: each that needs it, by itself or by another component. */
const usersOf = ({ paths, components }: Description): ReadonlyMap<string, ReadonlySet<string>> => {
  const users = new Map<string, Set<string>>()
  const use = (name: string, file: string): void => {
    const files = users.get(name) ?? new Set()
    users.set(name, files)
    if (files.has(file)) return
    files.add(file)
    const [kind, key = ''] = name.split('/') as [Kind, string]
    for (const inner of referred(components[kind][key])) use(inner, file)
  }
  for (const item of Object.values(paths)) {
    for (const it of Object.values(item)) for (const name of referred(it)) use(name, fileOf(it))
  }
  return users
}

/** The files of a description, by name. */
export const goldensOf = (description: Description): ReadonlyMap<string, string> => {
  const { info, paths, components, ...rest } = description
  const { description: introduction, ...about } = info
  const users = usersOf(description)
  const home = (name: string): string => {
    const files = [...(users.get(name) ?? [])]
    return files.length === 1 ? (files[0] ?? SHARED) : SHARED
  }
  const files = new Map<string, { paths: Record<string, Part>; components: Record<string, Record<string, unknown>> }>()
  const file = (name: string) => {
    const found = files.get(name) ?? { paths: {}, components: {} }
    files.set(name, found)
    return found
  }
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, it] of Object.entries(item)) {
      const { paths: own } = file(fileOf(it))
      own[path] = { ...own[path], [method]: it }
    }
  }
  for (const kind of kinds) {
    for (const [name, it] of Object.entries(components[kind])) {
      const { components: own } = file(home(`${kind}/${name}`))
      own[kind] = { ...own[kind], [name]: it }
    }
  }
  const { securitySchemes } = components
  const index = { ...rest, info: about, components: { securitySchemes } }
  const texts = [...files].map(([name, it]): [string, string] => [name, `${printed(it)}\n`])
  return new Map([['introduction.md', introduction], ['index.json', `${printed(index)}\n`], ...texts])
}
