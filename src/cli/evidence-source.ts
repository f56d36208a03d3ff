import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isHex64 } from '#core/ids.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { readBounded, STDIN } from './files.ts'

/** What is to be verified, as it was found: its bytes, or why there are none. */
export type FoundEvidence = { readonly bytes: Uint8Array } | { readonly tooLong: true } | { readonly why: string }

/** Files of one folder; more are named by a pattern of the shell. */
const FILES_MAX = 10_000
/** Names of what a folder of receipts holds beside its keys and its words. */
const EVIDENCE = /\.(?:json|chain|html?|ndjson)$/i
/** Pages that only verify, and lists that are no receipts, in a folder that was exported. */
const BESIDE = ['verify.html', 'index.html', 'index.json', 'README.html']

/** Longest time for fetching one piece of evidence. */
const FETCH_MS_MAX = 30 * MS_PER_SECOND

const ADDRESS = /^https?:\/\//i
const RECEIPT_PATH = /^\/r\/([0-9a-f]{32})\/?$/
const NONCE = /^[0-9a-f]{32}$/

const isFolder = (file: string): boolean =>
  file !== STDIN && !ADDRESS.test(file) && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

/** The files that words of a call name: a folder stands for the evidence in it and in the folders in that. */
export const evidenceFiles = (word: string): readonly string[] => {
  if (!isFolder(word)) return [word]
  const within = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((it) => it.isFile() && EVIDENCE.test(it.name) && !BESIDE.includes(it.name))
      .map(({ name }) => join(folder, name))
  const folders = readdirSync(word, { withFileTypes: true })
    .filter((it) => it.isDirectory() && !it.name.startsWith('.'))
    .map(({ name }) => join(word, name))
  return [word, ...folders].flatMap(within).toSorted().slice(0, FILES_MAX)
}

/** The bundle in a page that a browser saved: text of a script that no browser runs. */
const EMBEDDED =
  /<script\b(?=[^>]*\btype="application\/json")(?=[^>]*\bdata-tickmesh="bundle")[^>]*>([\s\S]*?)<\/script>/i
/** How far into a file a page is known by its first mark. */
const PAGE_HEAD = /^\uFEFF?\s*(?:<!--[\s\S]{0,4096}?-->\s*)*<(?:!doctype\s+html|html)\b/i

/** The evidence in what was read: of a saved page the bundle that it carries. */
const evidenceIn = (bytes: Uint8Array): FoundEvidence => {
  // The first bytes tell a page from JSON, which is not decoded for it.
  if (!PAGE_HEAD.test(new TextDecoder().decode(bytes.subarray(0, 8_192)))) return { bytes }
  const found = EMBEDDED.exec(new TextDecoder().decode(bytes))?.[1]
  if (found !== undefined) return { bytes: new TextEncoder().encode(found.trim()) }
  return { why: 'This page carries no receipt: save the page of a receipt (/r/…), or its bundle.' }
}

/** Where the bundle of a receipt's link is; any other address is asked as it stands. */
const bundleAddress = (given: URL): URL => {
  const [, token] = RECEIPT_PATH.exec(given.pathname) ?? []
  const asked = new URL(given.href)
  asked.hash = ''
  if (token === undefined) return asked
  asked.pathname = `/api/envelopes/${token}/bundle`
  const nonce = given.hash.slice(1)
  asked.search = NONCE.test(nonce) ? `?nonce=${nonce}` : ''
  return asked
}

/** Fetches what an address has, and follows it nowhere else: no key is sent, and none is asked for. */
const fetched = async (address: string, bytesMax: number): Promise<FoundEvidence> => {
  if (!URL.canParse(address)) return { why: `${address} is no address.` }
  const asked = bundleAddress(new URL(address))
  const signal = AbortSignal.timeout(FETCH_MS_MAX)
  try {
    const answer = await fetch(asked, {
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json, text/html' },
    })
    if (!answer.ok) return { why: refusedBy(answer, asked) }
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of answer.body ?? []) {
      total += part.length
      if (total > bytesMax) return { tooLong: true }
      parts.push(part)
    }
    return evidenceIn(new Uint8Array(Buffer.concat(parts)))
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    const why = signal.aborted ? `it took longer than ${FETCH_MS_MAX / MS_PER_SECOND} s` : undefined
    return { why: `${asked.origin} gave nothing: ${why ?? (cause instanceof Error ? cause.message : String(error))}.` }
  }
}

const refusedBy = ({ status, headers }: Response, asked: URL): string => {
  if (status >= 300 && status < 400) {
    return `${asked.origin} sends on to ${headers.get('location') ?? 'elsewhere'}, and no address is followed.`
  }
  const mine =
    'a receipt is shown to its owner (tickmesh envelopes bundle <token>), and to whoever has a link with its nonce'
  return `${asked.origin} answers ${status}${status === 401 || status === 404 ? `: ${mine}` : ''}.`
}

/** Why a file cannot be read, and what to do about it. */
const unreadable = (file: string, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (isHex64(file) || /^[0-9a-f]{32}$/.test(file)) {
    return `${file} is no file: \`tickmesh envelopes bundle ${file} --out receipt.json\` saves the receipt of a token.`
  }
  if (code === 'EISDIR')
    return `${file} is a directory that holds no receipt: none of *.json, *.chain, *.html is in it.`
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const name = basename(file)
    return name.endsWith('.chain')
      ? `There is no file ${file}: \`tickmesh machines export <slug> --out ${name}\` saves a machine's chain.`
      : `There is no file ${file}: \`tickmesh envelopes bundle <token> --out ${name}\` saves a bundle.`
  }
  return code === 'EACCES' ? `${file} may not be read by you: change its mode, or ask its owner.` : message
}

/** Reads what is to be verified: a file, stdin, or what an address has; each may be a page that carries a bundle. */
export const readEvidence = async (file: string, bytesMax: number): Promise<FoundEvidence> => {
  if (ADDRESS.test(file)) return fetched(file, bytesMax)
  try {
    const bytes = await readBounded(file, bytesMax)
    return bytes === undefined ? { tooLong: true } : evidenceIn(bytes)
  } catch (error) {
    return { why: unreadable(file, error) }
  }
}
