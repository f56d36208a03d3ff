/** Where a Redis is, as its setting says. */
export interface RedisAddress {
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number }
  readonly isTls: boolean
}

const PORT = 6_379
/** Visible ASCII but for what a pattern of PSUBSCRIBE is made of. */
const CHANNEL = /^[!-)+->@-Z^-~]{1,64}$/

const SCHEMES = 'redis://host:port, rediss://host:port or unix:///path'

const FILES = 'put them into mesh.redis.userFile and mesh.redis.passwordFile'

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

/** The address that a setting means. Call it for what {@link redisTrouble} finds nothing wrong with. */
export const redisAddress = (url: string): RedisAddress => {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol === 'unix:') return { at: { path: decodeURIComponent(pathname) }, isTls: false }
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { at: { host, port: port === '' ? PORT : Number(port) }, isTls: protocol === 'rediss:' }
}

const isUtf8 = (pathname: string): boolean => {
  try {
    return decodeURIComponent(pathname) !== ''
  } catch {
    return false
  }
}

const urlTrouble = (url: string): string | undefined => {
  const at = parsed(url)
  // Said without the text itself, and of what cannot be read too: it may hold a password.
  if (/^[^/]*\/\/[^/]*@/.test(url)) {
    return `mesh.redis.url holds a user or a password, which would be shown: ${FILES}`
  }
  if (at === undefined) return `mesh.redis.url is no address: write ${SCHEMES}`
  if (at.search !== '' || at.hash !== '') return `mesh.redis.url takes nothing after the address: write ${SCHEMES}`
  if (at.protocol === 'unix:') {
    const fits = at.host === '' && at.pathname.length > 1 && isUtf8(at.pathname)
    return fits ? undefined : 'mesh.redis.url has no path: write unix:///path/of/redis.sock'
  }
  if (!/^rediss?:$/.test(at.protocol)) return `mesh.redis.url has the scheme ${at.protocol}//: write ${SCHEMES}`
  if (at.hostname === '') return `mesh.redis.url names no host: write ${SCHEMES}`
  if (at.port === '0') return 'mesh.redis.url has port 0, where nobody listens'
  return at.pathname === '' || at.pathname === '/'
    ? undefined
    : 'mesh.redis.url names a database: channels belong to none, so leave it out'
}

/** What is wrong with the settings of Redis as they stand, and what to do; undefined when nothing is. */
export const redisTrouble = (redis: {
  readonly url: string
  readonly channel: string
  readonly userFile: string
  readonly passwordFile: string
  readonly caFile: string
}): string | undefined => {
  if (!CHANNEL.test(redis.channel)) {
    return 'mesh.redis.channel takes 1 to 64 visible ASCII characters, none of * ? [ ] \\: it names, and never matches'
  }
  if (redis.url === '') return undefined
  const trouble = urlTrouble(redis.url)
  if (trouble !== undefined) return trouble
  if (redis.userFile !== '' && redis.passwordFile === '') {
    return 'mesh.redis.userFile is set and mesh.redis.passwordFile is not: a user is let in by a password'
  }
  if (redis.caFile !== '' && !redisAddress(redis.url).isTls) {
    return 'mesh.redis.caFile is set and mesh.redis.url has no TLS: write rediss://'
  }
  return undefined
}
