import type { ResultOf } from '#api/result-of.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import type { Growth } from '#node/growth.ts'
import type { PolicyName } from '#node/policy.ts'
import { presenceOn, type Runtime } from '#node/runtime.ts'
import { examineGrowth } from './examine-growth.ts'
import { type Finding, findings } from './finding.ts'
import { clientOf } from './over-http.ts'
import { remedyOf } from './remedies.ts'
import { startWords } from './start-words.ts'

/** Ticks that may pass between a leaf and its checkpoint before something is wrong. */
const CHECKPOINT_LAG_TICKS_MAX = 4
/** Ticks that witnesses may take for a checkpoint. */
const QUORUM_LAG_TICKS_MAX = 16
/** Ticks by which a peer's clock may differ. */
const SKEW_TICKS_MAX = 2
const TIMEOUT_MS = 5_000

type Status = ResultOf<'explorer.status'>
type Mesh = ResultOf<'network.mesh-status'>

/** How old the newest seal is, and whether its checkpoint keeps up. @param remedy what to do where it does not. */
const sealing = ({ log, tick }: Status, remedy: string): Finding => {
  const { ok, fail } = findings('checkpoint')
  const { checkpoint, leaves } = log
  const open = leaves - (checkpoint?.size ?? 0)
  const lag = open === 0 || checkpoint === null ? 0 : tick - checkpoint.tick
  const ago = checkpoint === null ? 0 : (tick - checkpoint.tick) * TICK_SECONDS
  const last = checkpoint === null ? 'none yet' : `the last one ${Math.round(ago)} s ago`
  const sealed = `${leaves} leaves, ${open} not under a checkpoint, ${last}`
  return lag <= CHECKPOINT_LAG_TICKS_MAX ? ok(sealed) : fail(`${sealed}: ${lag} ticks`, remedy)
}

/** What the node goes by is its own word: settings read here may be others than those it was started with. */
const witnesses = ({ log, tick }: Status, { witness }: Mesh, settings: PolicyName | undefined): readonly Finding[] => {
  const { ok, warn } = findings('witnesses')
  const { checkpoint, origin } = log
  const said = `${checkpoint?.cosignatures ?? 0} cosigned the newest checkpoint`
  const quorumSize = witness.logs.find((it) => it.origin === origin)?.quorum_size ?? null
  const met = checkpoint === null || quorumSize === checkpoint.size
  const late = !met && tick - checkpoint.tick > QUORUM_LAG_TICKS_MAX
  const other = findings('policy')
  const hint = 'start it anew, or give doctor the settings that it has'
  return [
    ...(settings === undefined || settings === witness.policy
      ? []
      : [other.warn(`the running node goes by ${witness.policy}, the settings here by ${settings}`, hint)]),
    witness.quorum === 'none'
      ? ok(`${said}; the policy asks for none`)
      : late
        ? warn(`${said}, short of the quorum of the policy`, 'see whether its witnesses can be reached')
        : ok(`${said}; the quorum of the policy is ${met ? 'met' : 'being asked for'}`),
  ]
}

const peersOf = ({ peers, equivocations }: Mesh): readonly Finding[] => {
  const { ok, warn, fail } = findings('peers')
  const connected = peers.filter((peer) => peer.connected)
  const strange = connected.filter(({ state }) => state === 'incompatible')
  const skewed = peers.filter((peer) => Math.abs(peer.skew_ticks ?? 0) > SKEW_TICKS_MAX).length
  const clocks = findings('clock skew')
  const counted = `${connected.length} connected`
  return [
    strange.length === 0
      ? ok(counted)
      : warn(`${counted}, ${strange.length} of them incompatible`, '`tickmesh peers` says in what'),
    skewed === 0
      ? clocks.ok(`no peer differs by more than ${SKEW_TICKS_MAX} ticks`)
      : clocks.warn(`${skewed} peers differ by more than ${SKEW_TICKS_MAX} ticks`, 'set the clock by NTP'),
    ...equivocations.map(({ origin, size }) =>
      fail(
        `${origin} signed two histories of ${size} leaves`,
        '`tickmesh peers --json` has both notes: tell its owner',
      ),
    ),
  ]
}

/** The page that programs on this machine read. */
const registersOf = ({ page }: ResultOf<'network.mmio'>): Finding => {
  const { ok, warn } = findings('registers')
  if (page.state === 'off') return ok('switched off')
  const hint = 'the log of the node and `tickmesh mmio show` say more'
  if (page.state === 'failed') return warn('the page cannot be written', hint)
  return page.reason === null ? ok('written with every tick') : warn('the doorbell cannot be read', hint)
}

/** A node of an older release says nothing of it. */
const growthOf = ({ growth }: { readonly growth?: Growth }): readonly Finding[] =>
  growth === undefined ? [] : [examineGrowth(growth)]

const jumps = ({ clock_jumps }: Status): readonly Finding[] => {
  if (clock_jumps.length === 0) return []
  const last = clock_jumps.at(-1)
  const detail = `${clock_jumps.length} jumps since the start, the last at tick ${last?.tick} by ${last?.step_ns} ns`
  return [findings('clock').warn(detail, 'after a suspend that is as it should be; else synchronise the clock')]
}

const ask = async (
  { url }: Runtime,
  policy: PolicyName | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  const client = clientOf({ url, retriesMax: 0, timeoutMs: TIMEOUT_MS })
  const ready = await client.call('explorer.health', {}, { signal })
  const status = await client.call('explorer.status', {}, { signal })
  const mesh = await client.call('network.mesh-status', {}, { signal })
  const { key_supersessions: before } = await client.call('identity.node', {}, { signal })
  const registers = await client.call('network.mmio', {}, { signal })
  return [
    findings('running').ok(`${url}, up ${Math.floor(status.uptime_seconds)} s, tick ${status.tick}`),
    findings('identity').ok(`${status.node}, ${before.length === 1 ? '1 key' : `${before.length} keys`} before`),
    ...ready.checks.map((it): Finding => {
      const { ok, fail } = findings(it.name)
      return it.ok ? ok(it.detail) : fail(it.detail, remedyOf(it.name))
    }),
    sealing(status, remedyOf(ready.checks.find(({ ok }) => !ok)?.name ?? '')),
    ...witnesses(status, mesh, policy),
    ...peersOf(mesh),
    registersOf(registers),
    ...growthOf(status.storage),
    ...jumps(status),
  ]
}

/** What only a running node can tell: its readiness, its peers, how far its checkpoint lags. */
export const examineNode = async (
  directory: string,
  { policy, signal }: { readonly policy?: PolicyName; readonly signal: AbortSignal },
): Promise<readonly Finding[]> => {
  const { warn, fail } = findings('running')
  const presence = presenceOn(directory)
  if (presence.kind === 'none') return [warn('no node runs here', startWords())]
  if (presence.kind === 'gone') return [warn(`process ${presence.pid} ended without stopping`, startWords())]
  if (presence.kind === 'held') return [warn(`process ${presence.pid} holds the data and is not ready`, 'see its log')]
  const { runtime } = presence
  try {
    return await ask(runtime, policy, signal)
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return [fail(`process ${runtime.pid} does not answer: ${why}`, 'see its log; stop it and start it again')]
  }
}
