// Compiles kernels one after the other in this process: `setup-kernels.mjs <flags as JSON> <source> <output> …`. A
// process for each would spend three fifths of its time on loading the compiler and warming it up. Plain JavaScript
// for Node 20.
import asc from 'assemblyscript/asc'

const [flags = '[]', ...files] = process.argv.slice(2)
for (let i = 0; i < files.length; i += 2) {
  const [source = '', output = ''] = files.slice(i, i + 2)
  const { error, stderr } = await asc.main([source, ...JSON.parse(flags), '--outFile', output])
  process.stderr.write(stderr.toString())
  if (error !== null) {
    process.stderr.write(`${source}: ${error.message}\n`)
    process.exit(1)
  }
}
