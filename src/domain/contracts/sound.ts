import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { recent } from '#core/recent.ts'
import { NS_PER_SECOND, SECONDS_PER_DAY } from '#core/time.ts'
import { admitted } from '#domain/machines/roles.ts'
import { checkContract, deployFaults } from '#numerics/contracts/checker/check.ts'
import type { ContractFinding } from '#numerics/contracts/checker/finding.ts'
import { readCron, type ZoneTable } from '#numerics/contracts/cron/cron.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { ContractPorts } from './context.ts'
import { misplacedSecrets, placedActions } from './secrets.ts'
import { weightsOf } from './weights.ts'

/** Versions whose faults are kept. */
const CHECKED_MAX = 4_096

/** A definition that may be deployed, with the clocks that its version pins. */
export interface SoundContract {
  readonly definition: Definition
  readonly version: string
  /** By the names of zones. */
  readonly zones: Readonly<Record<string, ZoneTable>>
}

/** One that was judged, with what may go wrong with it and does not keep it from being deployed. */
export interface JudgedContract extends SoundContract {
  readonly warnings: readonly Pick<ContractFinding, 'rule' | 'path' | 'reason'>[]
}

/** The refusal of a definition: every fault with its place. */
export const invalid = (faults: readonly ContractFault[], details: Readonly<Record<string, unknown>> = {}): Fault => {
  const [first] = faults
  const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : ''
  const detail = `${first?.path === '' ? 'The definition' : first?.path}: ${first?.reason}.${more}`
  return new Fault('CONTRACT_INVALID', detail, { faults: [...faults], ...details })
}

/** The machines and contracts that a definition reads or listens to, with where it names them. */
const namedElsewhere = ({ transitions, oracles }: Definition) => {
  const slugs = transitions.flatMap(({ trigger }, i) =>
    trigger.kind === 'event' && trigger.from !== undefined
      ? [{ path: `/transitions/${i}/trigger/from`, slug: trigger.from }]
      : [],
  )
  const read = Object.entries(oracles).map(([name, { from }]) => ({ path: `/oracles/${name}/from`, from }))
  return { slugs, read }
}

/** The addresses that a definition would call or read, with where it names them. */
const addressesOf = (definition: Definition): readonly { readonly url: string; readonly path: string }[] => {
  const told = placedActions(definition).flatMap(({ action, path }) =>
    action.kind === 'notify' ? [{ url: (action as { readonly url: string }).url, path: `${path}/url` }] : [],
  )
  const read = Object.entries(definition.oracles).flatMap(([name, { from }]) =>
    from.kind === 'url' ? [{ url: from.url, path: `/oracles/${name}/from/url` }] : [],
  )
  return [...told, ...read]
}

/** @throws Fault TARGET_REFUSED with the place of the address in the definition */
const allowed = (assertTarget: (url: string) => unknown, url: string, path: string): void => {
  try {
    assertTarget(url)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    throw new Fault(thrown.code, `${path}: ${thrown.message}`, { ...thrown.details, path })
  }
}

/** Looks at definitions before they become versions. */
export const createSoundness = ({
  store,
  zones,
  clock,
  compute,
  assertTarget,
}: Pick<ContractPorts, 'store' | 'zones' | 'clock' | 'compute'> & {
  /** @throws Fault TARGET_REFUSED */
  readonly assertTarget: (url: string) => unknown
}) => {
  const reader = { get: store.peek }
  const tableOf = (zone: string): ZoneTable | undefined =>
    zones.table(zone, zones.span(Number(clock.now() / NS_PER_SECOND)))
  const cron = (expression: string, zone: string): string | undefined => {
    const reasons = readCron(expression).faults.map(({ field, reason }) => `${field}: ${reason}`)
    if (tableOf(zone) === undefined) reasons.push(zones.refusal(zone))
    return reasons.length === 0 ? undefined : reasons.join('; ')
  }
  const pinned = ({ transitions, timezone }: Definition): SoundContract['zones'] => {
    const found: Record<string, ZoneTable> = {}
    for (const { trigger } of transitions) {
      if (trigger.kind !== 'cron') continue
      const zone = trigger.timezone ?? timezone
      const table = tableOf(zone)
      if (table !== undefined) found[zone] = table
    }
    return found
  }
  const sees = (caller: Caller, slug: string | undefined): boolean => {
    if (slug === undefined) return false
    try {
      admitted(reader, { caller, slug, needed: 'none' })
      return true
    } catch (thrown) {
      if (thrown instanceof Fault) return false
      throw thrown
    }
  }
  /** What an author may not see, a contract of the author's may not either. */
  const unseen = (definition: Definition, caller: Caller): readonly ContractFault[] => {
    const { slugs, read } = namedElsewhere(definition)
    const absent = (path: string, what: string): ContractFault => ({ path, reason: `there is no ${what} here` })
    const ofSlugs = slugs.flatMap(({ path, slug }) => (sees(caller, slug) ? [] : [absent(path, `machine ${slug}`)]))
    const ofOracles = read.flatMap(({ path, from }): readonly ContractFault[] => {
      if (from.kind === 'machine') return sees(caller, from.slug) ? [] : [absent(path, `machine ${from.slug}`)]
      if (from.kind !== 'contract') return []
      return sees(caller, store.peek('contract', from.id)?.slug) ? [] : [absent(path, `contract ${from.id}`)]
    })
    return [...ofSlugs, ...ofOracles]
  }

  /** What the checker finds follows from a definition, the day and what it costs here: it looks once a day. */
  const known = recent<string, readonly ContractFinding[]>(CHECKED_MAX)
  const checked = ({ definition, version, zones: tables }: SoundContract, caller: Caller) => {
    const day = Math.floor(Number(clock.now() / NS_PER_SECOND) / SECONDS_PER_DAY)
    const key = `${version} ${day}`
    const from = day * SECONDS_PER_DAY
    const options = { from, zones: tables, ...weightsOf({ compute }, caller) }
    const findings = known.get(key) ?? checkContract(definition, options).findings
    known.set(key, findings)
    return findings
  }

  /** A definition without a fault of its own. @throws Fault CONTRACT_INVALID with every fault */
  const read = (given: unknown): SoundContract => {
    const { faults, contract, earlier } = lintContract(given, { cron })
    if (contract === undefined) throw invalid(faults, earlier ? { earlier } : {})
    return { ...contract, zones: pinned(contract.definition) }
  }

  return {
    read,
    /** The one place in which a definition is judged before it is deployed. @throws Fault as {@link read} */
    judge: (given: unknown, caller: Caller): JudgedContract => {
      const sound = read(given)
      const { definition } = sound
      const named = [...misplacedSecrets(definition), ...unseen(definition, caller)]
      const findings = named.length > 0 ? [] : checked(sound, caller)
      const wrong = named.length > 0 ? named : deployFaults(findings)
      if (wrong.length > 0) throw invalid(wrong)
      for (const { url, path } of addressesOf(definition)) allowed(assertTarget, url, path)
      const warnings = findings.filter(({ severity }) => severity === 'warning')
      return { ...sound, warnings: warnings.map(({ rule, path, reason }) => ({ rule, path, reason })) }
    },
  }
}

/** Looks at definitions. */
export type Soundness = ReturnType<typeof createSoundness>
export type Judge = Soundness['judge']
