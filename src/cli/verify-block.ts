import { verifyEntry } from '#core/machine-proof.ts'
import { provenPast } from '#core/succession.ts'
import { type EntryRef, provedBlock } from './chain.ts'
import type { Invocation } from './command.ts'
import { connect } from './connection.ts'
import { exitOf, readTrust, stepLines } from './evidence.ts'
import { type Exit, exits } from './exit.ts'
import { present } from './io.ts'

/** Fetches one entry with its proof, checks it here, and shows both. @throws CliError as `provedBlock`, `readTrust` */
export const verifyBlock = async (invocation: Invocation, place: EntryRef): Promise<Exit> => {
  const { io, options, signal } = invocation
  const { client, nodeId } = connect(invocation)
  const given = await readTrust(options)
  const names = given.policy !== undefined && given.policy.logs.length > 0
  const found = await provedBlock(client, place, signal)
  const { machine } = await client.call('machines.read', { slug: place.slug }, { signal })
  const { key_supersessions: past } = await client.call('identity.node', {}, { signal })
  const trust = {
    ...(nodeId !== undefined && !names && { trusted: nodeId }),
    ...given,
    successions: [...(given.successions ?? []), ...provenPast(past)],
  }
  const verified = verifyEntry({ slug: place.slug, genesis: machine.genesis_hash, row: found.block }, found, trust)
  const { outcome, steps, failing = null, unchecked } = verified
  const exit = exitOf[outcome]
  present(io, { ...found, ok: exit === exits.ok, outcome, failing, unchecked, steps }, () =>
    [...stepLines(verified), `${found.block.id}: ${outcome}`].join('\n'),
  )
  return exit
}
