import type { Command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { table } from '#cli/io.ts'

/** `tickmesh operators versions`: the registries that receipts name. */
export const operatorsVersions: Command = endpointCommand({
  path: 'operators versions',
  endpoint: 'compute.operator-versions',
  summary: 'List the released versions of the operator registry, the newest first.',
  text: ({ versions, registry_version, released, count }) =>
    [
      table(versions.map((it) => [it.released, it.version, `${it.count} rows`, `${it.put} new`, `${it.dropped} gone`])),
      `${count} versions; now ${registry_version}${released ? '' : ' (not a released one)'}`,
    ].join('\n'),
  examples: ['tickmesh operators versions', 'tickmesh operators versions --limit 3 --json'],
})

/** `tickmesh operators history ID`: the forms that a row has had. */
export const operatorsHistory: Command = endpointCommand({
  path: 'operators history',
  endpoint: 'compute.operator-versions',
  words: ['id'],
  summary: 'List the forms that the row of an operator has had, the oldest first.',
  text: ({ forms }) =>
    table(
      (forms ?? []).map((it) => [
        it.digest,
        it.today ? 'now' : 'earlier',
        `in ${it.versions.length} ${it.versions.length === 1 ? 'version' : 'versions'}`,
        it.equation,
      ]),
    ),
  examples: ['tickmesh operators history GR35', 'tickmesh operators GR35 --digest sha256:…'],
})
