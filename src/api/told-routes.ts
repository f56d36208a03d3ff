import { callsOfRoute, splitRoute } from '#core/route.ts'
import { kernelEndpoints } from './compute/kernel.ts'
import { operateEndpoints } from './compute/operate.ts'
import { solverRoute } from './compute/solver-endpoints.ts'
import { verifyEndpoints } from './compute/verify.ts'

/**
 * Routes that services say to callers. A service knows what it means by a name of its own; what that is called stands
 * in the literals, and the composition root hands it over.
 */

const routeOf = (all: readonly { readonly id: string; readonly route: string }[], id: string): string => {
  const found = all.find((it) => it.id === id)
  if (found === undefined) throw new Error(`no endpoint ${id}`)
  return found.route
}

const bundleCall = callsOfRoute(routeOf(verifyEndpoints, 'compute.bundle'))
const promptPath = splitRoute(routeOf(kernelEndpoints, 'compute.kernel-prompt')).path

/** What the note of every pulse names. */
export const kernelPaths = {
  url: splitRoute(routeOf(kernelEndpoints, 'compute.kernel')).path,
  prompt: promptPath,
  markdown: `${promptPath}?format=markdown`,
}

/** Where the bundle of an envelope is. @param nonce opens it without a credential. */
export const bundlePath = (tokenId: string, nonce?: string): string => bundleCall({ token_id: tokenId, nonce }).path

/** What a question in words is read as a call of. */
export const computeCalls = { operators: routeOf(operateEndpoints, 'compute.compute'), solver: solverRoute('{name}') }
