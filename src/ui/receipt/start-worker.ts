/** Begins the worker that verifies. The verifier in one file has another way to it: `verifier/start-worker.ts`. */
export const startVerifier = async (): Promise<Worker> =>
  new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
