import type { Log } from '#core/telemetry.ts'
import { onPath, runProbe } from './unit.ts'

/**
 * Tells systemd that the node is ready, when it was started as a notifying service: the log has been read again, and
 * `/readyz` answers 200. Nobody below this process can tell it a second time.
 */
export const notifyReady = async (url: string, log: Log): Promise<void> => {
  if ((process.env['NOTIFY_SOCKET'] ?? '') === '') return
  const program = onPath('systemd-notify')
  const ran = program === undefined ? undefined : await runProbe(program, ['--ready', `--status=ready ${url}`])
  delete process.env['NOTIFY_SOCKET']
  if (ran?.code !== 0) log.warn({ why: ran?.stderr.trim() ?? 'systemd-notify is not on the PATH' }, 'notify_failed')
}
