import { openNodeKeys } from '#domain/identity/node-keys.ts'

export { keyFiles } from '#domain/identity/node-keys.ts'
export { syncDirectory } from '#store/names.ts'

/**
 * Makes the keys of a data directory, where they are not there yet.
 *
 * @returns the id of the node that they are.
 * @throws KeyFileRefused, DirectoryRefused
 */
export const makeKeys = (directory: string): string => openNodeKeys(directory).nodeId
