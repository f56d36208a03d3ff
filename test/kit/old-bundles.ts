import { readdirSync, readFileSync } from 'node:fs'
import { parseBundle } from '#core/bundle.ts'
import { utf8 } from '#core/bytes.ts'
import type { Bundle } from '#core/claim.ts'
import { expectedOf, fixtures, unpack } from '../store/fixtures.ts'
import { tempDir } from './temp.ts'

/** A bundle that an earlier build sealed, and the key to trust for it. */
export interface OldBundle {
  readonly name: string
  readonly bundle: Bundle
  readonly trusted: string
}

const registries = new URL('../fixtures/registry/', import.meta.url)

const ofRegistries = (): readonly OldBundle[] =>
  readdirSync(registries)
    .filter((release) => release.endsWith('-rows'))
    .flatMap((release) => {
      const folder = new URL(`${release}/`, registries)
      const trusted = readFileSync(new URL('trusted.vkey', folder), 'utf8').trim()
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
      return files.map((file) => {
        const bundle = parseBundle(readFileSync(new URL(file, folder), 'utf8'))
        return { name: `${release}/${file}`, bundle, trusted }
      })
    })

const ofStore = async (store: string): Promise<readonly OldBundle[]> => {
  using dir = tempDir()
  const bundles = await unpack(store, dir.path)
  return Object.entries(bundles).map(([token, value]) => {
    const bundle = parseBundle(utf8(JSON.stringify(value)))
    const { eras = [] } = expectedOf(store).mesh ?? {}
    const era = eras.find(({ logs }) => logs.seal.origin === bundle.envelope.claim.log)
    return { name: `${store}/${token}`, bundle, trusted: era?.node ?? expectedOf(store).node }
  })
}

/** Every bundle under test/fixtures: sealed by nodes of earlier builds, and never made anew. */
export const oldBundles = async (): Promise<readonly OldBundle[]> => [
  ...ofRegistries(),
  ...(await Promise.all(fixtures().map(ofStore))).flat(),
]
