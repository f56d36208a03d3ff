import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses in public ranges behind which clouds answer their own machines alone: Azure's. The others are private. */
const HOST_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16'])

/** The 32 bits of an IPv4 address at the end of an IPv6 one. */
const lastIpv4 = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(-4))

/** IPv6 addresses of the whole internet are given out of 2000::/3 alone. */
const isGlobalIpv6 = (address: ipaddr.IPv6): boolean => (address.toByteArray()[0] ?? 0) >> 5 === 1

/**
 * Whether an address is one of the whole internet: not private, loopback, link-local, shared (CGNAT), multicast,
 * reserved or documentation, and no way around that. An IPv4 address mapped into IPv6 (RFC 4291) or translated by a
 * gateway (64:ff9b::/96, RFC 6052) is judged by itself; the tunnels 6to4 and Teredo are refused whole.
 */
export const isPublicAddress = (text: string): boolean => {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !HOST_SERVICES.has(address.toString())
  }
  const range = address.range()
  if (range === 'ipv4Mapped' || range === 'rfc6052') return isPublicAddress(lastIpv4(address).toString())
  return range === 'unicast' && isGlobalIpv6(address)
}

/** A block of addresses. */
export interface Block {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
}

/** A block in CIDR notation, or one address as a block; undefined for anything else. */
export const blockOf = (text: string): Block | undefined => {
  const [address = '', bits, ...more] = text.split('/')
  if (isIP(address) === 0 || more.length > 0) return undefined
  const parsed = ipaddr.parse(address)
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return { address: parsed, bits: most }
  if (!/^(0|[1-9][0-9]{0,2})$/.test(bits) || Number(bits) > most) return undefined
  return { address: parsed, bits: Number(bits) }
}

/** Whether an address lies in a block, an IPv4 one also when it is mapped into IPv6. */
export const inBlock = (text: string, { address, bits }: Block): boolean => {
  if (isIP(text) === 0) return false
  const candidate = ipaddr.process(text)
  return candidate.kind() === address.kind() && candidate.match([address, bits] as [ipaddr.IPv4, number])
}
