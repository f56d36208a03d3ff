import { createReadStream, writeSync } from 'node:fs'
import { restore } from '#store/backup/restore.ts'

/**
 * Restores an archive over a directory again and again until it is killed: `node restore-child.ts <dir> <archive>`.
 * Says where it is by lines straight to the pipe: the rows are unpacked, the archive is in its place.
 */
const [directory = '', file = ''] = process.argv.slice(2)
const say = (line: string): void => void writeSync(1, `${line}\n`)
for (;;) {
  await restore({ directory, source: createReadStream(file), force: true, onUnpacked: () => say('unpacked') })
  say('restored')
}
