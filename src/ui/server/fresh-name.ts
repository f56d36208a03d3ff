const DIGITS = 32

/** A random name for a call, free of what a browser gives to pages with TLS only. */
export const freshName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(DIGITS / 2)), (it) => it.toString(16).padStart(2, '0')).join('')
