import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** A terminal and npm both pass one Ctrl-C on: within this time a second signal is the first one's echo. */
const ECHO_MS = 500

/** A signal that aborts on SIGINT or SIGTERM; from half a second later a further one ends the process at once. */
export const watchSignals = (): AbortSignal => {
  const stop = new AbortController()
  const handlers = {
    SIGINT: () => abort(new CliError(exits.interrupted, 'interrupted', { code: 'INTERRUPTED' })),
    SIGTERM: () => abort(new CliError(exits.terminated, 'terminated', { code: 'TERMINATED' })),
  }
  const leave = (): void => {
    process.off('SIGINT', handlers.SIGINT)
    process.off('SIGTERM', handlers.SIGTERM)
  }
  const abort = (reason: CliError): void => {
    if (stop.signal.aborted) return
    stop.abort(reason)
    setTimeout(leave, ECHO_MS).unref()
  }
  process.on('SIGINT', handlers.SIGINT)
  process.on('SIGTERM', handlers.SIGTERM)
  return stop.signal
}
