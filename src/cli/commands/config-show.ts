import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { showConfig } from '#node/config.ts'

export const configShow = command({
  path: 'config show',
  summary: 'Print every setting, its value and where it came from.',
  settings: 'all',
  examples: ['tickmesh config show', 'TICKMESH_HTTP_PORT=0 tickmesh config show --json'],

  async run(invocation) {
    const loaded = configOf(invocation)
    const shown = showConfig(loaded)
    present(invocation.io, { ok: true, data_directory: loaded.dataDirectory, settings: shown }, () =>
      [
        table(shown.map((it) => [it.path, JSON.stringify(it.value), it.unit ?? '', `${it.origin}: ${it.from}`])),
        `data directory: ${loaded.dataDirectory}`,
      ].join('\n'),
    )
    return exits.ok
  },
})
