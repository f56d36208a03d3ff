import { canonical } from '#core/canonical.ts'
import { digest } from '#core/digest.ts'
import { duesAfter, readCron, zoneDigest, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
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
