import { readFileSync } from 'node:fs'
import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { type Policy, parsePolicy } from '#core/policy.ts'
import { sha256 } from '#crypto'
import { ConfigError } from './config.ts'

/** What a mesh policy is called by: its SHA-256, or `open` where there is none. */
export type PolicyName = string

/** The policy that this node goes by. */
export interface MeshPolicy {
  readonly name: PolicyName
  /** Undefined for the open one. */
  readonly policy: Policy | undefined
}

/**
 * Reads the policy file of the setting `mesh.policy`, with the name under which every offer, bond and proposal states
 * it. Without a file everything counts, and is labelled so.
 *
 * @throws ConfigError for a file that cannot be read, or that is no policy: its digest would promise rules that nobody
 * could follow.
 */
export const readPolicy = (path: string): MeshPolicy => {
  if (path === '') return { name: 'open', policy: undefined }
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`mesh.policy cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  try {
    return { name: toHex(sha256(bytes)), policy: parsePolicy(bytes) }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new ConfigError(`mesh.policy ${path} is no policy: ${cause.message}`)
  }
}
