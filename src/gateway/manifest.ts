import { domains, type Endpoint } from '#api/endpoint.ts'
import type { Manifest, ManifestRow } from '#domain/explorer/views.ts'
import { routesOf } from './router.ts'

/** Version of the interface, as the machine-readable description states it. */
export const INTERFACE_VERSION = '1.287.0'

/** What runs here, from the one array: nothing stands in it that does not answer. */
export const manifest = (endpoints: readonly Endpoint[], domain?: string): Manifest => {
  const rows = routesOf(endpoints).map(
    ({ method, path, endpoint, alias }): ManifestRow => ({
      id: endpoint.id,
      method,
      path,
      domain: endpoint.domain,
      tier: endpoint.tier,
      auth: endpoint.access.credential,
      summary: endpoint.summary,
      alias_of: alias ? endpoint.route : null,
    }),
  )
  const shown = rows.filter((row) => domain === undefined || row.domain === domain)
  const count = (name: keyof ManifestRow, value: string): number => shown.filter((row) => row[name] === value).length
  return {
    version: INTERFACE_VERSION,
    count: shown.length,
    domains: Object.keys(domains).map((slug) => ({ slug, count: rows.filter((row) => row.domain === slug).length })),
    tiers: { computation: count('tier', 'computation'), 'machine-control': count('tier', 'machine-control') },
    endpoints: shown,
  }
}
