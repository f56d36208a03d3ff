import { canonical } from '#core/canonical.ts'
import { contractDigest, fireId } from '#core/contract/cause.ts'
import { digest } from '#core/digest.ts'
import { duesAfter, readCron, zoneDigest, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { contextDigest, decide } from '#numerics/contracts/fire/decide.ts'
import { jitterOf, nextDues } from '#numerics/contracts/fire/dues.ts'
import { type ReadyContract, readyContract, triggerId } from '#numerics/contracts/fire/ready.ts'
import { compileExpression, NoValue } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { each, type Golden, same, type Vectors } from './vector.ts'

/** Definitions with their normal form and version, and expressions with their value or why they have none. */
export const contract: Vectors = (it) => [
  ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
  ...each(it.definitions, ({ given, normal, version }) => {
    const { contract } = lintContract(given, { cron: () => undefined })
    return contract !== undefined && same([contract.definition, contract.version], [normal, version])
  }),
  ...each(it.expressions, ({ text, value, refused, position }) => {
    const given = compileExpression(parseExpression(text))(it.values)
    if (given instanceof NoValue) return same([given.reason, given.position], [refused, position])
    return refused === undefined && same(given, value)
  }),
]

/** Tables of zones, the instants that patterns are due at by them, and patterns that are refused. */
export const zone: Vectors = (it) => [
  ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
  ...each(it.tables, (row) => canonical(row.table) === row.text && zoneDigest(row.table) === row.digest),
  ...each(it.dues, (row) => {
    const { cron } = readCron(row.pattern)
    const { table } = it.tables.find((other: Golden) => other.table.zone === row.zone)
    const asked = { after: row.after, until: table.until, countMax: 6 }
    return cron !== undefined && same(duesAfter(cron, zoneOf(table), asked), row.next)
  }),
  ...each(it.refused, ({ pattern, fields }) => {
    const { cron, faults } = readCron(pattern)
    const said = faults.map((fault) => fault.field)
    return cron === undefined && same(said, fields)
  }),
]

/** The definition of the vectors of fires, made ready; what it is not ready for fails the vector that asks. */
const readyIn = (it: Golden): ReadyContract => {
  const { contract } = lintContract(it.definition, { cron: () => undefined })
  if (contract === undefined) throw new Error('the definition has faults')
  return readyContract({ ...contract, zones: it.zones })
}

/** Names of fires, due instants with their jitter, and decisions on a definition. */
export const fire: Vectors = (it) => [
  ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
  () => contractDigest(it.contract.id_hash, it.contract.id) === it.contract.digest,
  ...each(it.fires, (row) => fireId(it.contract.digest, row.cause) === row.fire),
  ...each(it.triggers, (row) => triggerId(row.trigger) === row.id),
  () => {
    const { tick, standing, context } = it.beginning
    return (
      canonical(beginning(readyIn(it), it.contract.digest, tick) as never) === canonical(standing) &&
      contextDigest(standing.context) === context
    )
  },
  () => {
    const ready = readyIn(it)
    const found = nextDues(ready, it.beginning.standing, {
      armedTick: it.beginning.tick + 20,
      countMax: it.dues.length,
    })
    return same(
      found.map(({ trigger, kind, due, tick }) => ({ trigger, kind, due, tick })),
      it.dues.map(({ trigger, kind, due, tick }: Golden) => ({ trigger, kind, due, tick })),
    )
  },
  ...each(it.dues, (row) => {
    const trigger = readyIn(it).triggers.get(row.trigger)
    return trigger !== undefined && jitterOf(trigger, row.fire) === row.jitter
  }),
  ...each(it.decisions, ({ standing, stimulus, outcomes, decision }) => {
    const found = decide(readyIn(it), standing, stimulus, outcomes)
    return canonical(JSON.parse(JSON.stringify(found))) === canonical(decision)
  }),
]
