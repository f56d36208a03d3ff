import Type from 'typebox'
import { count, hex64, model, oneOf, orNull, tick } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { recorded } from '#domain/machines/views.ts'

/** Media types that hosted pages may have. None of them is a script. */
export const siteMediaTypes = [
  'text/html',
  'text/plain',
  'text/css',
  'text/csv',
  'application/json',
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
] as const
export type SiteMediaType = (typeof siteMediaTypes)[number]

/** A hosted page. */
export const sitePage = model('SitePage', {
  path: Type.String(),
  sha: hex64({ description: 'SHA-256 of the file: `site/file/{sha}` gives it.' }),
  content_type: oneOf(siteMediaTypes),
  bytes: count(),
  seq: count({ description: 'Its entry in the chain.' }),
  tick: tick({ description: 'Node tick of that entry.' }),
})
export type SitePageView = View<typeof sitePage>

/** The pages of a machine, by path. */
export const siteListing = model('SiteListing', {
  slug: Type.String(),
  pages: Type.Array(sitePage),
  total: count({ description: 'Pages that there are.' }),
  bytes: count({ description: 'Of all files, each counted once.' }),
  limit: count({ description: 'Pages that there may be.' }),
  next_after: orNull(Type.String(), { description: 'Where the next page of the list begins; null at the end.' }),
})
export type SiteListing = View<typeof siteListing>

/** A page that was put up. */
export const siteUploaded = model('SiteUploaded', {
  slug: Type.String(),
  page: sitePage,
  replaced: orNull(hex64(), { description: 'The file that was at the path before.' }),
  recorded: orNull(recorded, { description: 'Its entry; null where the same file was there already.' }),
})
export type SiteUploaded = View<typeof siteUploaded>

/** Whether a publish key is out; never its value. */
export const sitePublishKey = model('SitePublishKey', {
  slug: Type.String(),
  issued: Type.Boolean(),
  id: orNull(Type.String(), { description: "First 16 digits of the key's SHA-256." }),
  created_tick: orNull(tick()),
})
export type SitePublishKeyView = View<typeof sitePublishKey>

/** A publish key, shown once. */
export const sitePublishKeyMade = model('SitePublishKeyMade', {
  ...sitePublishKey.properties,
  publish_key: Type.String({ description: 'Shown only here.' }),
})
export type SitePublishKeyMade = View<typeof sitePublishKeyMade>
