import { TICK_NS } from '#core/tick.ts'
import { createClient } from '#gateway/client.ts'
import { presenceOn, type Runtime } from '#node/runtime.ts'
import { type Finding, findings } from './finding.ts'

/** Ticks that may pass between a leaf and its checkpoint before something is wrong. */
const CHECKPOINT_LAG_TICKS_MAX = 4
/** Ticks by which a peer's clock may differ. */
const SKEW_TICKS_MAX = 2
const TIMEOUT_MS = 5_000
const NS_PER_SECOND = 1e9
const TICK_SECONDS = Number(TICK_NS) / NS_PER_SECOND

const ask = async ({ url }: Runtime, signal: AbortSignal): Promise<readonly Finding[]> => {
  const client = createClient({ url, retriesMax: 0, timeoutMs: TIMEOUT_MS })
  const ready = await client.call('explorer.ready', {}, { signal })
  const status = await client.call('explorer.status', {}, { signal })
  const mesh = await client.call('network.mesh-status', {}, { signal })
  const { checkpoint, leaves } = status.log
  const open = leaves - (checkpoint?.size ?? 0)
  const lag = open === 0 || checkpoint === null ? 0 : status.tick - checkpoint.tick
  const at = findings('checkpoint')
  const ago = checkpoint === null ? 0 : (status.tick - checkpoint.tick) * TICK_SECONDS
  const last = checkpoint === null ? 'none yet' : `the last one ${Math.round(ago)} s ago`
  const sealed = `${leaves} leaves, ${open} not under a checkpoint, ${last}`
  const skewed = mesh.peers.filter((peer) => Math.abs(peer.skew_ticks ?? 0) > SKEW_TICKS_MAX).length
  const clocks = findings('clock skew')
  return [
    findings('running').ok(`${url}, up ${Math.floor(status.uptime_seconds)} s, tick ${status.tick}`),
    ...ready.checks.map((it): Finding => ({ check: it.name, state: it.ok ? 'ok' : 'fail', detail: it.detail })),
    lag <= CHECKPOINT_LAG_TICKS_MAX ? at.ok(sealed) : at.fail(`${sealed}: ${lag} ticks`, 'its log says why'),
    findings('peers').ok(`${mesh.peers.filter((peer) => peer.connected).length} connected`),
    skewed === 0
      ? clocks.ok(`no peer differs by more than ${SKEW_TICKS_MAX} ticks`)
      : clocks.warn(`${skewed} peers differ by more than ${SKEW_TICKS_MAX} ticks`, 'set the clock by NTP'),
  ]
}

/** What only a running node can tell: its readiness, its peers, how far its checkpoint lags. */
export const examineNode = async (directory: string, signal: AbortSignal): Promise<readonly Finding[]> => {
  const { warn, fail } = findings('running')
  const presence = presenceOn(directory)
  if (presence.kind === 'none') return [warn('no node runs here', 'npm start')]
  if (presence.kind === 'gone') return [warn(`process ${presence.pid} ended without stopping`, 'npm start')]
  if (presence.kind === 'held') return [warn(`process ${presence.pid} holds the data and is not ready`, 'see its log')]
  const { runtime } = presence
  try {
    return await ask(runtime, signal)
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return [fail(`process ${runtime.pid} does not answer: ${why}`, 'see its log; stop it and start it again')]
  }
}
