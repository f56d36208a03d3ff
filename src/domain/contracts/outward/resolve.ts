import { promises as dns, type LookupAddress } from 'node:dns'
import { OutwardProblem } from './problem.ts'
import { type CallTarget, mayConnect, type TargetRules } from './targets.ts'

/** How long one server of names may take, and how often it is asked. */
const QUESTION_MS = 2_000
const QUESTIONS = 2
/** Addresses of one name that are looked at. */
const ADDRESSES_MAX = 16

/** Where names are asked for; the system's servers unless said. */
export interface NameServers {
  readonly nameServers?: readonly string[] | undefined
}

/**
 * The addresses of a name, straight from the servers of names: the system's own function takes a thread for as long as
 * a slow server likes, and goes by files and search lists of this machine.
 */
const asked = async (name: string, { nameServers }: NameServers, signal: AbortSignal): Promise<LookupAddress[]> => {
  const resolver = new dns.Resolver({ timeout: QUESTION_MS, tries: QUESTIONS })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal.throwIfAborted()
    return [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** A name that the owner of the node vouches for is resolved as every other program here does it. */
const looked = async (name: string): Promise<LookupAddress[]> => {
  try {
    return await dns.lookup(name, { all: true })
  } catch {
    return []
  }
}

/**
 * The addresses that a call goes to, all of them allowed: they are asked for once, and nothing is connected to but
 * these, so a name that changes between two questions changes nothing.
 *
 * @throws OutwardProblem refused when any of them is not allowed, unreachable when there is none.
 */
export const addressesOf = async (
  { rules, ...servers }: { readonly rules: TargetRules } & NameServers,
  target: CallTarget,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> => {
  const { host, isAddress, named } = target
  const family = host.includes(':') ? 6 : 4
  if (isAddress) return [{ address: host, family }]
  const found = (await (named ? looked(host) : asked(host, servers, signal))).slice(0, ADDRESSES_MAX)
  if (found.length === 0) throw new OutwardProblem('unreachable', 'The name has no address.')
  if (!found.every(({ address }) => mayConnect(rules, target, address))) {
    throw new OutwardProblem('refused', 'The name leads to an address that this node does not call.')
  }
  return found
}
