import type { Caller } from '#core/caller.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { NodeTally } from '#domain/compute/tally.ts'
import { registerFiles } from '#domain/network/mmio/files.ts'
import { createRegisters, type Registers } from '#domain/network/mmio/service.ts'
import type { RegisterSources } from '#domain/network/mmio/values.ts'
import type { Services } from '#domain/services.ts'
import type { Store } from '#store/store.ts'
import { machineClocks } from './clock.ts'
import type { LoadedConfig } from './config.ts'
import { registerPlaceOf } from './mmio-place.ts'

interface Base extends Pick<LoadedConfig, 'config'> {
  /** The data directory. */
  readonly directory: string
  readonly store: Store
  readonly ports: { readonly log: Log; readonly sleep: Sleep }
}

interface RegisterParts
  extends Pick<Services, 'compute' | 'contribution' | 'disputes' | 'identity' | 'network' | 'works'> {
  readonly tally: NodeTally
  readonly life: RegisterSources['life']
}

/** The register page of a node. Whoever may write its control file is its owner, who asks for what the bell asks. */
export const registersOf = (
  { config, directory, store, ports: { log, sleep } }: Base,
  { identity, contribution, tally, life, ...more }: RegisterParts,
): Registers => {
  const zid = identity.ownerZid
  const owner: Caller = { kind: 'owner', bucket: 'mmio', zid, keyId: 'mmio', account: zid, shared: false }
  const place = registerPlaceOf({ config, dataDirectory: directory })
  return createRegisters({
    sources: { ...more, store, contribution, tally, life, ownerZid: zid, monotonic: machineClocks.monotonic },
    files: place === undefined ? undefined : registerFiles(place),
    setMode: async (mode) => {
      await contribution.setMode(owner, mode)
      log.audit({ mode, by: 'doorbell' }, 'contribution_mode')
    },
    sleep,
    log,
  })
}
