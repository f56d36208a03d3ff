// One cold load of the operator table in a process of its own, as one line of JSON. Run with --expose-gc.
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { variablesIn } from '#numerics/operators/find/variables.ts'
import { searchIndex } from '#numerics/operators/search-index.ts'
import { timed } from './times.ts'

/** Bytes of the heap that are in use once nothing more can be freed. */
const heapBytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const before = heapBytes()
const rows = timed(loadRegistry)
const version = timed(() => rows.value.version)
const loaded = heapBytes()
const search = timed(() => searchIndex(rows.value))
const find = timed(() => variablesIn(rows.value))
const indexed = heapBytes()

process.stdout.write(
  JSON.stringify({
    rows: rows.value.ids.length,
    rowsMs: rows.ms,
    rowsCpuMs: rows.cpuMs,
    versionMs: version.ms,
    versionCpuMs: version.cpuMs,
    loadedBytes: loaded - before,
    searchIndexMs: search.ms,
    findIndexMs: find.ms,
    indexedBytes: indexed - loaded,
  }),
)
