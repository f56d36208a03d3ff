// One solver's default case in a thread of its own: what the determinism test compares with its own run.
import { parentPort, workerData } from 'node:worker_threads'
import { produce } from '#numerics/gate.ts'
import { resolveInput } from '#numerics/input.ts'
import { solverByName } from '#numerics/solvers/index.ts'

const solver = solverByName(String(workerData))
if (solver === undefined) throw new Error(`no solver ${workerData}`)
const { resultDigest, steps, value } = produce(solver, resolveInput(solver, {}))
parentPort?.postMessage({ resultDigest, steps, value })
