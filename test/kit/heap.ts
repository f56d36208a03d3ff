import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of the heap that something still holds: what lies there for nobody is collected first. */
export const bytesHeld = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}
