import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { fromUtf8 } from '#core/bytes.ts'
import { canonicalBytes } from '#core/canonical.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import { openDialogue, serveDialogue } from '#mesh/dialogue.ts'
import { startHost } from '#mesh/libp2p.ts'
import { tokenDialogue } from '#mesh/protocols/token.ts'
import { bench, wholeOr } from './bench.ts'
import { fill, openParts } from './parts.ts'
import { errorsOnly, loopback } from './party.ts'

/** Milliseconds between two rounds of what comes with the ticks, and longer than a tick. */
const BEAT_MS = 20
const TICK_MS = 1_000

/** Envelopes of a fresh home that free credits pay for: they stay. */
const STAYING = 500

/** A node's part in tokens on a directory of its own, with a libp2p host. */
const openEnd = async (opened: AsyncDisposableStack) => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-arrivals-'))
  opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const parts = await openParts(directory)
  opened.use(parts.store)
  opened.use(parts.economy.abroad)
  return { parts, host: opened.adopt(await startHost(parts.keys.seed, loopback), (it) => it.stop()) }
}
type End = Awaited<ReturnType<typeof openEnd>>

/** As a wire to a node of before: it knows no question for several bundles. */
const before = (wire: Wire): Wire => ({
  ...wire,
  send: (frame) =>
    wire.send(fromUtf8(frame).includes('"ask":"bundles"') ? canonicalBytes({ ask: 'nothing', v: 1 }) : frame),
})

const arrived = async ({ parts: { store } }: End): Promise<number> => {
  let count = 0
  for await (const [, some] of store.range('awayFolder')) count += some
  return count
}

/** @param apart hides the question for several bundles */
const joinTo = async ({ parts, host }: End, other: End, apart: boolean): Promise<void> => {
  const { economy, bundle } = parts
  const ports = { tokens: economy.abroad }
  await serveDialogue(host, tokenDialogue, { ports, log: errorsOnly, signal: AbortSignal.timeout(2 ** 31 - 1) })
  economy.abroad.join({
    ...{ peers: () => [other.parts.keys.nodeId], reach: async () => 'connected', accuse: async () => undefined },
    talk: (node, talk, signal) =>
      openDialogue(host, tokenDialogue, { node, signal, talk: (wire) => talk(apart ? before(wire) : wire) }),
    standingOf: () => ({ counts: true, up_to: null, because: 'open' }) as never,
    ...{ policy: undefined, bundle, log: errorsOnly },
  })
}

/** Sends all of a fresh home to an account elsewhere, and waits until they are there. @returns tokens a second */
const arriving = async (tokens: number, apart: boolean): Promise<number> => {
  await using opened = new AsyncDisposableStack()
  const [home, away] = [await openEnd(opened), await openEnd(opened)]
  await fill(home.parts, tokens + STAYING)
  await pause(TICK_MS)
  await home.parts.store.closeTick()
  const { zid } = await away.parts.identity.signUp({ bucket: 'bench' })
  await away.host.dial(home.host.getMultiaddrs().map((it) => multiaddr(it.toString())))
  await joinTo(home, away, false)
  await joinTo(away, home, apart)
  const named = { node: away.parts.keys.nodeId } as never
  await home.parts.store.commit((tx) => tx.put('assertion', zid, named))
  await home.parts.economy.moves.send(home.parts.owner, { to: zid, count: tokens })
  const from = performance.now()
  while ((await arrived(away)) < tokens) {
    for (const { parts } of [home, away]) parts.economy.abroad.beat()
    await pause(BEAT_MS)
  }
  return tokens / ((performance.now() - from) / 1000)
}

/** Both nodes share a process, so a number is of a node that has half of it. */
export const arrivals = bench({
  name: 'arrivals',
  summary: 'envelopes that arrive at another node: many a stream, and one by one as before [envelopes]',
  async run([count]) {
    const tokens = wholeOr(count, 2_000)
    const [one, many] = [await arriving(tokens, true), await arriving(tokens, false)]
    console.log(`${tokens} arrivals   one by one ${one.toFixed(0)}/s   many a stream ${many.toFixed(0)}/s`)
    console.log(`ratio ${(many / one).toFixed(2)}`)
  },
})
