import { writeSync } from 'node:fs'
import { nodeClock } from '#node/clock.ts'
import { seeded } from '../../kit/random.ts'
import { makeLog } from './log-kit.ts'
import { openAdmission } from './witness-kit.ts'

/**
 * Cosigns a log that grows until this process is killed: `node witness-child.ts <data directory> <seed> <from>`. Writes
 * one line per answer that went out, `<size>`, straight to the pipe.
 */
const [directory = '', seed = '1', from = '0'] = process.argv.slice(2)
const log = makeLog(seeded(Number(seed)), Number(from))
const { admission, peers } = await openAdmission(directory, nodeClock())
peers.add(log.node)
writeSync(1, 'ready\n')
for (;;) {
  const before = log.size
  log.grow(1)
  const { status, body } = await admission.add(log.push(before))
  if (status !== 200) {
    writeSync(1, `refused ${status} ${body}`)
    break
  }
  writeSync(1, `${log.size}\n`)
}
