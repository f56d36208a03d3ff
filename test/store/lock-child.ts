import { createInterface } from 'node:readline'
import { DirectoryInUse, lockDirectory } from '#store/lock.ts'
import { open } from './kit.ts'

// Takes and releases a directory by lines of stdin, for a test that lets several processes try at once.

let held: Disposable | undefined

const take = (directory: string): string => {
  try {
    held = lockDirectory(directory)
    return 'taken'
  } catch (cause) {
    if (cause instanceof DirectoryInUse) return `held by ${cause.pid}`
    throw cause
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [word, directory = ''] = line.split(' ')
  if (word === 'take') console.log(take(directory))
  if (word === 'open') {
    const said = await open(directory).then(
      async (store) => {
        await store[Symbol.asyncDispose]()
        return 'opened'
      },
      (cause: Error) => `${cause.name}: ${cause.message}`,
    )
    console.log(said)
  }
  if (word === 'release') {
    held?.[Symbol.dispose]()
    held = undefined
    console.log('released')
  }
}
