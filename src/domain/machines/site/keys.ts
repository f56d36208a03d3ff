import type { Repeat, WithReplayed } from '#core/once.ts'
import type { Reader } from '#domain/credentials/standing.ts'
import type { MachineContext, MachineRequest } from '#domain/machines/context.ts'
import { minterOf } from '#domain/machines/members.ts'
import { say } from '#domain/machines/record.ts'
import { admitted } from '#domain/machines/roles.ts'
import type { SitePublishKeyMade, SitePublishKeyView } from '#domain/machines/views/site.ts'
import type { SitePublishKey, SiteRow } from '#store/rows/site.ts'

/** The site of a machine; an empty one where there is none yet. */
export const siteOf = (reader: Reader, slug: string): SiteRow =>
  reader.get('site', slug) ?? { pages: 0, bytes: 0, key: null }

const shown = (slug: string, key: SitePublishKey | null): SitePublishKeyView => ({
  slug,
  issued: key !== null,
  id: key?.id ?? null,
  created_tick: key?.created_tick ?? null,
})

/** The key that puts pages into a machine, and does nothing else. */
export const createSiteKeys = (context: MachineContext) => {
  const { store, makeKeyOnce } = context
  const reader = { get: store.peek }
  return {
    /** Whether one is out. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    publishKey: ({ caller, slug }: MachineRequest): SitePublishKeyView => {
      admitted(reader, { slug, caller, needed: 'operator' })
      return shown(slug, siteOf(reader, slug).key)
    },

    /** Makes one, shown once; an earlier one falls. @throws Fault NOT_FOUND, SCOPE_REQUIRED, RATE_LIMITED */
    issuePublishKey: async (
      { caller, slug }: MachineRequest,
      repeat?: Repeat,
    ): Promise<WithReplayed<SitePublishKeyMade>> => {
      admitted(reader, { slug, caller, needed: 'admin' })
      const { answer, key, replayed } = await makeKeyOnce(
        { caller, kind: 'publish', repeat },
        ({ hash, id }) =>
          (tx) => {
            const { machine, standing } = admitted(tx, { slug, caller, needed: 'admin' })
            const site = siteOf(tx, slug)
            if (site.key !== null) tx.del('siteKey', site.key.hash)
            const row = { id, hash, minter_zid: minterOf(tx, caller), created_tick: tx.tick }
            tx.put('siteKey', hash, slug)
            tx.put('site', slug, { ...site, key: row })
            say(context, tx, machine, { type: 'site_key', open: { key: id, change: 'made' }, caller, standing })
            return { ...shown(slug, row) }
          },
      )
      return { ...answer, publish_key: key, replayed }
    },

    /** At once and for good; where none is out nothing is done. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    revokePublishKey: async ({ caller, slug }: MachineRequest): Promise<SitePublishKeyView> => {
      await store.commit((tx) => {
        const { machine, standing } = admitted(tx, { slug, caller, needed: 'admin' })
        const site = siteOf(tx, slug)
        if (site.key === null) return
        const { hash, id } = site.key
        tx.del('siteKey', hash)
        tx.put('site', slug, { ...site, key: null })
        say(context, tx, machine, { type: 'site_key', open: { key: id, change: 'revoked' }, caller, standing })
      })
      return shown(slug, null)
    },
  }
}
