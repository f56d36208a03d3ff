import { endpointCards } from '#gateway/endpoint-of.ts'

/** A form that a value may have, as far as completion reads it. */
interface Form {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Form[]
  readonly properties?: Readonly<Record<string, Form>>
}

const ROUTE = /^POST \/api\/svc\/([a-z0-9-]+)$/
/** Routes of computations that are no solvers. */
const others = ['compute', 'prove', 'auto', 'reactor', 'reverify']

/** The solvers of this release, from the list of endpoints that set-up made: no node is asked, and none is loaded. */
const solvers: ReadonlyMap<string, Form> = new Map(
  endpointCards.flatMap(({ route, input }): readonly [string, Form][] => {
    const [, name] = ROUTE.exec(route) ?? []
    return name === undefined || others.includes(name) ? [] : [[name, input]]
  }),
)

/** Names of the solvers. */
export const solverNames = (): readonly string[] => [...solvers.keys()]

const formsOf = (form: Form): readonly Form[] => [form, ...(form.anyOf ?? []).flatMap(formsOf)]

/** `name=` for each input, `group.name=` for those of a group, and `name=value` where the values are few words. */
const wordsOf = (form: Form, at: string): readonly string[] =>
  formsOf(form)
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .flatMap(([name, its]) => {
      const forms = formsOf(its)
      const values = forms.flatMap((it) => it.enum ?? (it.type === 'boolean' ? [true, false] : []))
      if (forms.some(({ properties }) => properties !== undefined)) return wordsOf(its, `${at}${name}.`)
      return values.length === 0 ? [`${at}${name}=`] : values.map((value) => `${at}${name}=${value}`)
    })

/** The inputs of a solver as they are written on the command line; none for what is no solver. */
export const solverInputs = (name: string): readonly string[] => {
  const form = solvers.get(name)
  return form === undefined ? [] : [...new Set(wordsOf(form, ''))]
}
