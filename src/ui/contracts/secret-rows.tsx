import { useState } from 'preact/hooks'
import { TextRow } from '#ui/part/text-row.tsx'
import { ApiProblem } from '#ui/server/api.ts'

/** Secrets that a refused call names as given by nobody; undefined for another refusal. */
const namesIn = (problem: Error): readonly string[] | undefined => {
  if (!(problem instanceof ApiProblem) || problem.code !== 'SECRET_UNKNOWN') return undefined
  const { names } = problem.members
  return Array.isArray(names) ? names.filter((it) => typeof it === 'string') : undefined
}

/** Values of the secrets that a definition turned out to need, until they are sent. */
export const useSecrets = () => {
  const [names, need] = useState<readonly string[]>([])
  const [typed, write] = useState<Readonly<Record<string, string>>>({})
  const given = Object.fromEntries(names.map((name) => [name, typed[name] ?? '']).filter(([, it]) => it !== ''))
  return {
    names,
    typed,
    given: Object.keys(given).length === 0 ? undefined : given,
    type: (name: string, value: string): void => write((old) => ({ ...old, [name]: value })),
    /** Takes the names that a refusal says are missing into the form. */
    refused: (problem: Error): void => {
      const missing = namesIn(problem)
      if (missing !== undefined) need((old) => [...new Set([...old, ...missing])])
    },
    forget: (): void => {
      need([])
      write({})
    },
  }
}

/** A row for each secret that is needed. What is typed is not shown, here or ever. */
export const SecretRows = ({ of: { names, typed, type } }: { readonly of: ReturnType<typeof useSecrets> }) => (
  <>
    {names.map((name) => (
      <TextRow
        key={name}
        id={`needed-${name}`}
        label={`Secret ${name}`}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={typed[name] ?? ''}
        onText={(value) => type(name, value)}
      />
    ))}
  </>
)
