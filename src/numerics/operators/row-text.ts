import { canonical, type Json } from '#core/canonical.ts'
import type { Example, OperatorRow, Variable } from './operator.ts'

/** An object with its members in the order of their names, which the engine keeps: symbols begin with a letter. */
const sorted = <V, T>(members: Readonly<Record<string, V>>, each: (value: V) => T): Readonly<Record<string, T>> => {
  const into: Record<string, T> = {}
  for (const name of Object.keys(members).sort()) into[name] = each(members[name] as V)
  return into
}

const inVariable = (it: Variable) => ({
  aliases: it.aliases,
  difference: it.difference,
  integer: it.integer,
  max: it.max,
  min: it.min,
  name: it.name,
  positive: it.positive,
  principal: it.principal,
  unit: it.unit,
})

const inExample = (it: Example) => ({
  inputs: sorted(it.inputs, (value) => value),
  note: it.note,
  output: it.output,
  tolerance: it.tolerance,
  unit: it.unit,
  value: it.value,
})

/**
 * The canonical text (RFC 8785) of a checked row. Its members are known, so they are put in order as such and the
 * engine writes them: numbers and escapes are those of ECMAScript, what is absent is left out. A lone surrogate has no
 * canonical form and would be escaped, so what looks like one goes the long way.
 *
 * @param row as `parseRow` gave it.
 * @throws Fault NOT_CANONICAL for a lone surrogate.
 */
export const rowText = (row: OperatorRow): string => {
  const { refused } = row
  const text = JSON.stringify({
    domain: row.domain,
    equation: row.equation,
    example: row.example && inExample(row.example),
    id: row.id,
    name: row.name,
    refused: refused && { kind: refused.kind, reason: refused.reason, see: refused.see },
    requires: row.requires?.map(({ holds, why }) => ({ holds, why })),
    solves_for: row.solves_for,
    source: row.source,
    variables: sorted(row.variables, inVariable),
  })
  return text.includes('\\ud') ? canonical(row as unknown as Json) : text
}
