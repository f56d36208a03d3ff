import { readFileSync } from 'node:fs'
import { type Command, command } from '#cli/command.ts'
import { exits } from '#cli/exit.ts'
import { jsonText } from '#cli/io.ts'
import { interrupts, modeValues } from '#core/mmio/table.ts'

const fileOption = {
  flags: '--file <path>',
  help: 'a page of another node on this machine, where its owner lets you read it: the path of its mmio.bin',
  choices: 'files',
} as const

const names = { name: '[names...]', help: 'registers to show; all when left out' }

const show = command({
  path: 'mmio show',
  settings: 'node',
  summary: 'Show the register page: the file itself, as a program on this machine reads it, or over HTTP with --url.',
  args: [names],
  options: [fileOption, { flags: '--path', help: 'only say where the two files are' }],
  examples: ['tickmesh mmio show', 'tickmesh mmio show state mode irq_status --json', 'tickmesh mmio show --path'],
  run: async (invocation) => (await import('#cli/registers.ts')).showPage(invocation),
})

const watch = command({
  path: 'mmio watch',
  settings: 'node',
  summary: 'Follow the register page: a line for each register that changes, until Ctrl-C.',
  args: [{ ...names, help: 'registers to follow; all but those that change with every tick when left out' }],
  options: [fileOption],
  examples: ['tickmesh mmio watch', 'tickmesh mmio watch jobs_running queue_heat --json'],
  run: async (invocation) => (await import('#cli/registers.ts')).watchPage(invocation),
})

const ring = command({
  path: 'mmio ring',
  settings: 'node',
  summary: 'Ask for a mode by the doorbell, as a program on this machine does, and say what came of it.',
  args: [{ name: '<mode>', help: modeValues.join(', '), choices: modeValues }],
  examples: ['tickmesh mmio ring idle', 'tickmesh mmio ring contributing --json'],
  run: async (invocation) => (await import('#cli/registers.ts')).ringBell(invocation),
})

const bitNames = `${interrupts.join(', ')}, all or none`

const bitsArgument = { name: '<bits...>', help: bitNames, choices: [...interrupts, 'all', 'none'] }

const ack = command({
  path: 'mmio ack',
  settings: 'node',
  summary: 'Acknowledge interrupts: their bits are cleared at the next tick.',
  args: [bitsArgument],
  examples: ['tickmesh mmio ack all', 'tickmesh mmio ack sealed refusal'],
  run: async (invocation) => (await import('#cli/registers.ts')).acknowledge(invocation),
})

const mask = command({
  path: 'mmio mask',
  settings: 'node',
  summary: 'Say which interrupts wake nobody who waits over HTTP.',
  args: [bitsArgument],
  examples: ['tickmesh mmio mask tick', 'tickmesh mmio mask none'],
  run: async (invocation) => (await import('#cli/registers.ts')).maskInterrupts(invocation),
})

const header = command({
  path: 'mmio header',
  settings: 'none',
  summary: 'Print the C header, or the Python module, with which a program reads the page and rings the bell.',
  options: [{ flags: '--python', help: 'the Python module' }],
  examples: ['tickmesh mmio header > tickmesh_mmio.h', 'tickmesh mmio header --python > tickmesh_mmio.py'],
  async run({ io, options }) {
    const name = options['python'] === true ? 'tickmesh_mmio.py' : 'tickmesh_mmio.h'
    const text = readFileSync(new URL(`../../../protocols/mmio/${name}`, import.meta.url), 'utf8')
    if (io.json) io.out(jsonText({ ok: true, name, text }))
    else io.out(text.trimEnd())
    return exits.ok
  },
})

/** The register page, as programs on this machine use it. */
export const mmio: readonly Command[] = [show, watch, ring, ack, mask, header]
