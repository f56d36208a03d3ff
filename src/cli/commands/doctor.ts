import { command, type Invocation } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { type Finding, findings } from '#cli/finding.ts'
import { present, table } from '#cli/io.ts'
import { ConfigError } from '#node/config.ts'

const examine = async (invocation: Invocation): Promise<readonly Finding[]> => {
  const { examineData } = await import('#cli/examine-data.ts')
  const { examineMachine } = await import('#cli/examine-machine.ts')
  const { examineNode } = await import('#cli/examine-node.ts')
  const { ok, fail } = findings('settings')
  let loaded: ReturnType<typeof configOf>
  try {
    loaded = configOf(invocation)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail(error.message, '`tickmesh config show --help` lists them')]
  }
  const changed = [...loaded.origins.values()].filter(({ origin }) => origin !== 'default').length
  const { signal } = invocation
  const data = await examineData(loaded, signal)
  return [
    ok(`${changed} differ from the defaults`),
    ...(await examineMachine(loaded)),
    ...data.found,
    ...(await examineNode(loaded.dataDirectory, { ...data, signal })),
  ]
}

export const doctor = command({
  path: 'doctor',
  summary: 'Examine the machine, the data directory and the running node, with a hint for what is wrong.',
  examples: ['tickmesh doctor', 'tickmesh doctor --json'],
  async run(invocation) {
    const found = await examine(invocation)
    const ok = found.every(({ state }) => state !== 'fail')
    present(invocation.io, { ok, findings: found }, () =>
      table(found.map(({ check, state, detail, hint }) => [state, check, [detail, hint ?? []].flat().join(' → ')])),
    )
    return ok ? exits.ok : exits.failure
  },
})
