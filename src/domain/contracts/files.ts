import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { fitting } from '#core/schema.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { ContractContext } from './context.ts'
import { type ContractRequest, findContract, needs } from './finding.ts'
import { secretsOf } from './secrets.ts'
import { type ContractFile, contractFile } from './views.ts'

/** What a contract says, as a file: without what it did, and without the values of its secrets. */
export const createExport = ({ store, contracts }: ContractContext) => {
  const reader = { get: store.peek }
  return {
    /** For the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    exported: (asking: ContractRequest): ContractFile => {
      const { machine, row } = findContract(reader, asking, needs.own)
      const { definition, version, zones } = contracts.version(row.id, row.version_no)
      const { id, contract, slug, version_no, name } = row
      const { id_hash } = machine
      return {
        ...{ format: 'tickmesh/contract-file/1', name, version, definition },
        zones: Object.values({ ...zones, ...row.zones }).map((it) => contracts.zone(it) as unknown as Json),
        secrets: secretsOf(definition as unknown as Definition),
        origin: { id, contract, slug, id_hash, version_no, exported_tick: store.now().tick },
      }
    },
  }
}

/** The definition in an exported file. @throws Fault CONTRACT_INVALID for what is no such file, or was changed. */
export const definitionIn = (file: unknown): Json => {
  const { definition, version } = fitting(contractFile, file, 'CONTRACT_INVALID')
  const live = digest(purposes.contract, definition)
  if (live === version) return definition
  const reason = `the file says version ${version}, and its definition has ${live}`
  throw new Fault('CONTRACT_INVALID', `/contract/version: ${reason}.`, {
    faults: [{ path: '/contract/version', reason }],
  })
}
