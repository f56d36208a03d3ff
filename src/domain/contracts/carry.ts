import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import type { Definition, WindowRule } from '#numerics/contracts/definition/schema.ts'

/** What an author says of where a contract is to stand under another version. */
export interface Migrate {
  readonly state?: string | undefined
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

const sameRule = (a: WindowRule | undefined, b: WindowRule): boolean =>
  a !== undefined && a.event === b.event && a.field === b.field && a.fn === b.fn && a.ticks === b.ticks

/** State and members that fit go over; a new member begins with its initial value. The rest has to be said. */
const contextUnder = (
  { context: declared }: Definition,
  { context: old }: ContractStanding,
  given: NonNullable<Migrate['context']>,
): { readonly context: ContractStanding['context']; readonly faults: readonly ContractFault[] } => {
  const faults: ContractFault[] = []
  const context: Record<string, Scalar> = {}
  const known = (values: Readonly<Record<string, unknown>>, name: string): boolean => Object.hasOwn(values, name)
  for (const name of Object.keys(given)) {
    if (!known(declared, name))
      faults.push({ path: `/migrate/context/${name}`, reason: 'the context has no such member' })
  }
  for (const [name, member] of Object.entries(declared)) {
    const said = known(given, name)
    const value = said ? given[name] : known(old, name) ? old[name] : member.initial
    const why = unfit(member, value)
    if (why === undefined) context[name] = value as Scalar
    else faults.push({ path: `/migrate/context/${name}`, reason: said ? why : `${why}: ${JSON.stringify(value)} now` })
  }
  return { context, faults }
}

/**
 * Where a contract stands when another version takes over. Windows of the same rule go on, others begin anew; an
 * instant that a trigger decided stays decided.
 *
 * @param entered what a state that it is put into counts from.
 * @returns the standing, or what `migrate` would have to say.
 */
export const carried = (
  of: {
    readonly from: Definition
    readonly to: Definition
    readonly standing: ContractStanding
    readonly entered: ContractStanding['entered']
  },
  migrate: Migrate = {},
): { readonly standing: ContractStanding; readonly faults: readonly ContractFault[] } => {
  const { from, to, standing, entered } = of
  const state = migrate.state ?? standing.state
  const unknown = { path: '/migrate/state', reason: `the definition has no state ${state}; one of it has to be said` }
  const { context, faults } = contextUnder(to, standing, migrate.context ?? {})
  const goesOn = (name: string): boolean => {
    const rule = to.windows[name]
    return rule !== undefined && sameRule(from.windows[name], rule)
  }
  const windows = Object.fromEntries(Object.entries(standing.windows).filter(([name]) => goesOn(name)))
  return {
    standing: {
      ...{ state, context, windows, marks: standing.marks },
      entered: state === standing.state ? standing.entered : entered,
    },
    faults: [...(Object.hasOwn(to.states, state) ? [] : [unknown]), ...faults],
  }
}
