import { readFileSync } from 'node:fs'

/** A file of golden vectors, as its reader says what it holds. */
export const readVector = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../protocols/vectors/${name}.json`, import.meta.url), 'utf8')) as T
