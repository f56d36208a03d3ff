import { isIP } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const PREFIX_GROUPS = 4

/** The eight groups of an IPv6 address, each as lower-case hex without leading zeros. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((it) => it.replace(/^0+(?=.)/, ''))
}

/** An address without the spellings that mean the same: `::ffff:1.2.3.4` is 1.2.3.4. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/** What budgets and ladders count by: IPv4 /32, IPv6 /64. Anything that is no address is its own bucket. */
export const bucketOf = (address: string): string => {
  const plain = plainAddress(address)
  if (isIP(plain.split('%')[0] ?? '') !== 6) return plain
  return `${groupsOf(plain).slice(0, PREFIX_GROUPS).join(':')}::/64`
}

/**
 * The client's address. Forwarded addresses are believed only from configured proxies, read from the right, so that
 * what a client wrote itself stands to the left of what the first trusted proxy saw.
 */
export const clientAddress = (remote: string, forwarded: string | undefined, proxies: ReadonlySet<string>): string => {
  let client = plainAddress(remote)
  if (forwarded === undefined) return client
  const hops = forwarded.split(',').map((hop) => plainAddress(hop.trim().replace(/^\[(.*)\]$/, '$1')))
  for (const hop of hops.reverse()) {
    if (!proxies.has(client) || isIP(hop) === 0) return client
    client = hop
  }
  return client
}

/** Whether an address belongs to this machine alone. */
export const isLoopback = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === 'localhost' || plain === '::1' || plain.startsWith('127.')
}
