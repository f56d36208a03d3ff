import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import { type Reader, reaches, standingOfZid } from './standing.ts'

const refuse = (why: string): never => {
  throw new Fault('UNAUTHENTICATED', why)
}

/**
 * The machine that a publish key puts pages into, by the key's hash. It falls with the role of whoever made it.
 *
 * @throws Fault UNAUTHENTICATED for a key that is unknown, revoked, or whose maker lost the role.
 */
export const machineOfPublishKey = (reader: Reader, hash: string): MachineRow => {
  const slug = reader.get('siteKey', hash)
  const machine = slug === undefined ? undefined : reader.get('machine', slug)
  const key = slug === undefined ? undefined : reader.get('site', slug)?.key
  if (machine === undefined || key?.hash !== hash) return refuse('No such publish key, or it was revoked.')
  if (!reaches(standingOfZid(reader, machine, key.minter_zid), 'operator')) {
    return refuse('Who made this key may no longer write to the machine.')
  }
  return machine
}

/** The caller of a publish key: nobody, who may put pages into one machine. @throws Fault UNAUTHENTICATED */
export const callerOfPublishKey = (reader: Reader, keyHash: string, bucket: string): Caller => {
  const { slug } = machineOfPublishKey(reader, keyHash)
  const key = reader.get('site', slug)?.key
  return { kind: 'anonymous', bucket, publisher: { slug, keyId: key?.id ?? '', keyHash } }
}
