import { isIP } from 'node:net'
import { Fault } from '#core/fault.ts'
import { type Block, blockOf, inBlock, isPublicAddress } from './addresses.ts'

/** Characters of an address that is called. */
const URL_CHARS_MAX = 2_048
/** Ports below are those of other services than HTTPS. */
const FREE_PORT_MIN = 1_024
const HTTPS_PORT = 443
const HTTP_PORT = 80
const PORT_MAX = 65_535

/** Names that lead no further than a machine or its network, whatever they resolve to. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)$/

/** Hosts and blocks of addresses that are allowed beside the public internet; without a port, with every port. */
export interface TargetRules {
  readonly names: readonly { readonly name: string; readonly port: number | undefined }[]
  readonly blocks: readonly { readonly block: Block; readonly port: number | undefined }[]
}

/** A row of the setting `contracts.targets` that says nothing. */
export class TargetSettingRefused extends Error {
  override readonly name = 'TargetSettingRefused'
}

/** Host and port of a row: `host`, `host:port`, `address`, `block/bits`, and `[IPv6]:port`. */
const ruleParts = (entry: string): { readonly host: string; readonly port: number | undefined } => {
  const bracketed = /^\[([^\]]+)\](?::([0-9]{1,5}))?$/.exec(entry)
  const plain = isIP(entry.split('/')[0] ?? '') === 6 ? undefined : /^([^:]+)(?::([0-9]{1,5}))?$/.exec(entry)
  const [, host = entry, port] = bracketed ?? plain ?? []
  return { host, port: port === undefined ? undefined : Number(port) }
}

/** Reads the setting. @throws TargetSettingRefused for a row that names neither a host nor a block of addresses. */
export const targetRules = (entries: readonly string[]): TargetRules => {
  const names: TargetRules['names'][number][] = []
  const blocks: TargetRules['blocks'][number][] = []
  for (const entry of entries) {
    const { host, port } = ruleParts(entry)
    const block = blockOf(host)
    const name = host.toLowerCase()
    const fits = port === undefined || (port > 0 && port <= PORT_MAX)
    const isName =
      !entry.startsWith('[') &&
      /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/.test(name) &&
      URL.canParse(`http://${name}`)
    if (!fits || (block === undefined && (!isName || isIP(new URL(`http://${name}`).hostname) !== 0))) {
      throw new TargetSettingRefused(`contracts.targets: ${entry} is neither a host nor a block of addresses`)
    }
    if (block === undefined) names.push({ name, port })
    else blocks.push({ block, port })
  }
  return { names, blocks }
}

/** An address that may be called, as far as its text says. */
export interface Target {
  readonly url: URL
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isAddress: boolean
  /** The setting names this very host: its owner vouches for whatever it resolves to. */
  readonly named: boolean
}

const refuse = (why: string): never => {
  throw new Fault('TARGET_REFUSED', why)
}

/** Whether an address may be connected to at a port: it is public, or the setting adds it. */
export const mayConnect = (rules: TargetRules, target: Target, address: string): boolean => {
  if (target.named || isPublicAddress(address)) return true
  return rules.blocks.some(({ block, port }) => (port === undefined || port === target.port) && inBlock(address, block))
}

const parsed = (text: string): URL => {
  if (text.length > URL_CHARS_MAX) return refuse(`An address has at most ${URL_CHARS_MAX} characters.`)
  // The parser drops what it takes for slips: then what is read is not what is called.
  if (/[\s\\\p{Cc}]/u.test(text)) return refuse('An address has no spaces, backslashes or control characters.')
  const url = URL.parse(text)
  if (url === null) return refuse('This is no address.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('Only https: and http: are called.')
  if (url.username !== '' || url.password !== '') return refuse('An address holds no user name and no password.')
  if (url.hash !== '') return refuse('An address ends before its fragment, which is never sent.')
  return url
}

/**
 * What the text of an address says, judged without asking anyone: scheme, user, port, addresses in every notation, and
 * names that lead nowhere but home. What a name resolves to is judged anew for each call.
 *
 * @throws Fault TARGET_REFUSED
 */
export const assertTarget = (rules: TargetRules, text: string): Target => {
  const url = parsed(text)
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const name = host.replace(/\.$/, '')
  const isAddress = isIP(host) !== 0
  const named = rules.names.some((it) => it.name === name && (it.port === undefined || it.port === port))
  const target: Target = { url, host, port, isAddress, named }
  if (named) return target
  if (isAddress) {
    if (!mayConnect(rules, target, host)) return refuse(`${host} is not an address of the whole internet.`)
    if (!isPublicAddress(host)) return target
  } else if (LOCAL_NAME.test(name) || !name.includes('.')) {
    return refuse(`${name} is a name of this machine or of its network.`)
  }
  if (url.protocol !== 'https:') return refuse('What is outside is called by https: alone.')
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) return refuse(`Port ${port} is another service's.`)
  return target
}
