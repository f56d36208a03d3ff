import { toBase64 } from '#core/bytes.ts'
import type { PageSession } from '#ui/session.ts'

/** Media types by the ending of a file's name, as a node takes them. */
const types = {
  html: 'text/html',
  htm: 'text/html',
  txt: 'text/plain',
  md: 'text/plain',
  css: 'text/css',
  csv: 'text/csv',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const

const typeOf = (name: string) => types[(name.split('.').at(-1) ?? '').toLowerCase() as keyof typeof types]

/** Puts files up one after the other, each at the path of its name. @returns what is to be said. */
export const uploadFiles = async (session: PageSession, slug: string, files: readonly File[]): Promise<string> => {
  const unknown = files.find(({ name }) => typeOf(name) === undefined)
  if (unknown !== undefined) throw new Error(`${unknown.name} is no page: its ending says no media type of pages.`)
  for (const file of files) {
    const content = toBase64(new Uint8Array(await file.arrayBuffer()))
    const page = { slug, path: file.name, content_type: typeOf(file.name), encoding: 'base64', content } as const
    await session.call('POST /api/chain/{slug}/site/upload', page)
  }
  return files.length === 1 ? 'The page is up.' : `${files.length} pages are up.`
}
