import { isLoopback } from '#gateway/address.ts'
import type { Config } from './settings.ts'

/** A door that opens beyond this machine and has nothing in front of it that speaks TLS. */
export interface Exposure {
  /** The setting that opens it. */
  readonly setting: 'http.host' | 'metrics.host'
  readonly host: string
  /** What a person can do. */
  readonly hint: string
}

/**
 * Whether the interface serves this machine alone: it listens on loopback, no proxy brings calls from elsewhere, and it
 * answers under no other name.
 */
export const staysHere = ({ http }: Pick<Config, 'http'>): boolean =>
  isLoopback(http.host) && http.proxies.length === 0 && http.hosts.length === 0

/**
 * The doors that show what goes through them to the whole network: keys and sessions on the interface, unless a proxy
 * is named that ends TLS before it; the numbers on a metrics port of its own. Traffic between nodes is encrypted by
 * libp2p itself.
 */
export const exposuresOf = ({ http, metrics }: Pick<Config, 'http' | 'metrics'>): readonly Exposure[] => {
  const found: Exposure[] = []
  if (!isLoopback(http.host) && http.proxies.length === 0) {
    const hint = 'put a proxy with TLS in front and name it in http.proxies, or listen on 127.0.0.1'
    found.push({ setting: 'http.host', host: http.host, hint })
  }
  if (metrics.port !== null && !isLoopback(metrics.host)) {
    const hint = 'keep it within a network of your own: /metrics asks nobody for a key'
    found.push({ setting: 'metrics.host', host: metrics.host, hint })
  }
  return found
}
