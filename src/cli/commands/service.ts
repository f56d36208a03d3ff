import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { exits } from '#cli/exit.ts'
import { writeWhole } from '#cli/files.ts'
import { jsonText, present, table } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { askSystemd, closedTo, type Scope, servedFiles, unitPath, unitState, unitText } from '#cli/unit.ts'

const scopes: NonNullable<Command['options']> = [
  { flags: '--user', help: 'a service of this user (the usual)' },
  { flags: '--system', help: 'a service of the machine, under a user of its own; needs root' },
]

const scopeOf = ({ options }: Invocation): Scope => {
  if (options['user'] === true && options['system'] === true) throw usageError('give --user or --system, one of them')
  return options['system'] === true ? 'system' : 'user'
}

const systemctl = (scope: Scope, words: string): string =>
  scope === 'user' ? `systemctl --user ${words}` : `sudo systemctl ${words}`

const assertOurs = (scope: Scope, force: boolean): void => {
  if (force || unitState(scope) !== 'changed') return
  const path = unitPath(scope)
  const message = `${path} is not as this program wrote it; --force replaces it, \`systemctl edit\` keeps changes apart`
  throw new CliError(exits.failure, message, { code: 'UNIT_CHANGED', details: { unit: path } })
}

/** A dynamic user owns nothing: it must be able to read the program. */
const assertReadable = (scope: Scope, force: boolean): void => {
  if (scope === 'user' || force) return
  const closed = servedFiles()
    .map(closedTo)
    .find((it) => it !== undefined)
  if (closed === undefined) return
  const advice = 'put the folder of tickmesh where everyone can read it, e.g. below /opt'
  const message = `the service's own user could not read ${closed}; ${advice}`
  throw new CliError(exits.failure, message, { code: 'UNIT_UNREADABLE', details: { path: closed } })
}

const install = command({
  path: 'service install',
  summary: 'Write a systemd unit for this node; starts nothing by itself.',
  options: [
    ...scopes,
    { flags: '--print', help: 'only print the unit' },
    { flags: '--force', help: 'also over a unit that was changed by hand' },
  ],
  settings: 'none',
  examples: ['tickmesh service install', 'sudo tickmesh service install --system', 'tickmesh service install --print'],
  async run(invocation) {
    const { io, options } = invocation
    const scope = scopeOf(invocation)
    const text = unitText(scope)
    const path = unitPath(scope)
    if (options['print'] === true) {
      io.out(io.json ? jsonText({ ok: true, scope, unit: path, text }) : text.trimEnd())
      return exits.ok
    }
    const force = options['force'] === true
    assertOurs(scope, force)
    assertReadable(scope, force)
    const before = unitState(scope)
    mkdirSync(dirname(path), { recursive: true })
    if (before !== 'current') writeWhole(path, text)
    present(io, { ok: true, scope, unit: path, before }, () =>
      before === 'current' ? `${path} stands` : `wrote ${path}`,
    )
    io.say(`start it: ${systemctl(scope, 'daemon-reload')} && ${systemctl(scope, 'enable --now tickmesh')}`)
    io.say(`its log:  journalctl ${scope === 'user' ? '--user ' : ''}-u tickmesh -o cat -f`)
    return exits.ok
  },
})

const uninstall = command({
  path: 'service uninstall',
  summary: 'Remove the systemd unit; the data stay.',
  options: [...scopes, { flags: '--force', help: 'also a unit that was changed by hand' }],
  settings: 'none',
  examples: ['tickmesh service uninstall'],
  async run(invocation) {
    const { io, options } = invocation
    const scope = scopeOf(invocation)
    const path = unitPath(scope)
    const state = unitState(scope)
    assertOurs(scope, options['force'] === true)
    if ((await askSystemd(scope, 'is-active')) === 'active') {
      const message = `the service runs; stop it first: ${systemctl(scope, 'disable --now tickmesh')}`
      throw new CliError(exits.failure, message, { code: 'UNIT_ACTIVE', details: { unit: path } })
    }
    rmSync(path, { force: true })
    const removed = state !== 'absent'
    present(io, { ok: true, scope, unit: path, removed }, () => (removed ? `removed ${path}` : `${path} is not there`))
    return exits.ok
  },
})

const status = command({
  path: 'service status',
  summary: 'Whether the unit is there, as this program wrote it, enabled and active.',
  options: scopes,
  settings: 'none',
  examples: ['tickmesh service status', 'tickmesh service status --system --json'],
  async run(invocation) {
    const { io } = invocation
    const scope = scopeOf(invocation)
    const [path, state] = [unitPath(scope), unitState(scope)]
    const enabled = (await askSystemd(scope, 'is-enabled')) ?? null
    const active = (await askSystemd(scope, 'is-active')) ?? null
    present(io, { ok: true, scope, unit: path, state, enabled, active }, () =>
      table([
        ['unit', path],
        ['state', state],
        ['enabled', enabled ?? 'no systemd here'],
        ['active', active ?? 'no systemd here'],
      ]),
    )
    return exits.ok
  },
})

export const service: readonly Command[] = [install, uninstall, status]
