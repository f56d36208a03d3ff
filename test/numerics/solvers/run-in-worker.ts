// Default cases of solvers in a thread of its own: what the determinism test compares with its own run.
import { parentPort } from 'node:worker_threads'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'

parentPort?.on('message', (name: string) => {
  const found = solverByName(name)
  if (found === undefined) throw new Error(`no solver ${name}`)
  const solver = aided(found, { registry: loadRegistry })
  const { resultDigest, steps, value } = produce(solver, resolveInput(solver, {}))
  parentPort?.postMessage({ resultDigest, steps, value })
})
