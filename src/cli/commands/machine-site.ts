import { basename, extname } from 'node:path'
import type { Command, Invocation } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { exits } from '#cli/exit.ts'
import { readBounded } from '#cli/files.ts'
import { CliError, usageError } from '#cli/problem.ts'

/** Bytes of a page that a node takes. */
const PAGE_BYTES_MAX = 2_097_152

type Input = { [name: string]: unknown }

/** Media types by the ending of a file's name. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
  '.md': 'text/plain',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}

/** The second word of the call is a file of this machine, which is sent whole. */
const uploaded = async (input: Input, { args: [slug, file], signal }: Invocation): Promise<Input> => {
  const given = { ...input, ...(slug !== undefined && { slug }) }
  if (file === undefined) return given
  if (Object.hasOwn(input, 'content')) throw usageError('give a file or its content, one of them')
  const bytes = await readBounded(file, PAGE_BYTES_MAX, signal)
  if (bytes === undefined) {
    const code = 'INPUT_TOO_LARGE'
    throw new CliError(exits.failure, `${file} is larger than the ${PAGE_BYTES_MAX} bytes of a page`, { code })
  }
  const type = types[extname(file).toLowerCase()]
  const about = file === '-' ? {} : { path: basename(file), ...(type !== undefined && { content_type: type }) }
  return { ...about, ...given, encoding: 'base64', content: Buffer.from(bytes).toString('base64') }
}

const pages = ['path', 'content_type', 'bytes', 'tick', 'seq', 'sha']

/** Hosted pages of a machine, and the key that puts them there. */
const site: readonly Command[] = [
  endpointCommand({
    path: 'machines site upload',
    endpoint: 'machines.site-upload',
    words: ['slug'],
    args: [
      { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' },
      {
        name: '[file]',
        help: 'the page; its name is its path, and the ending its media type, unless said. - is stdin',
        choices: 'files',
      },
    ],
    prepare: uploaded,
    text: ({ slug, page, recorded }) =>
      `${slug}/${page.path}  ${page.bytes} bytes  ${page.sha}${recorded === null ? '  there already' : ''}`,
    examples: [
      'tickmesh machines site upload pump-7 index.html',
      'tickmesh machines site upload pump-7 plot.svg --path plots/today.svg',
    ],
  }),
  endpointCommand({
    path: 'machines site list',
    endpoint: 'machines.site-list',
    words: ['slug'],
    list: ['pages', pages],
    examples: ['tickmesh machines site list pump-7'],
  }),
  endpointCommand({
    path: 'machines site key show',
    endpoint: 'machines.publish-key',
    words: ['slug'],
    examples: ['tickmesh machines site key show pump-7'],
  }),
  endpointCommand({
    path: 'machines site key issue',
    endpoint: 'machines.issue-publish-key',
    words: ['slug'],
    secret: 'publish_key',
    examples: ['tickmesh machines site key issue pump-7 --quiet > pump-7.publish'],
  }),
  endpointCommand({
    path: 'machines site key revoke',
    endpoint: 'machines.revoke-publish-key',
    words: ['slug'],
    question: ({ slug }) => `Revoke the publish key of ${slug} for good?`,
    examples: ['tickmesh machines site key revoke pump-7 --yes'],
  }),
]

/** What feeds a machine, and whether it still writes. */
const facts: readonly Command[] = [
  endpointCommand({
    path: 'machines oracles',
    endpoint: 'machines.oracles',
    words: ['slug'],
    list: ['oracles', ['contract_name', 'oracle', 'last.value', 'unit', 'last.age_ticks', 'stale', 'last.source']],
    examples: ['tickmesh machines oracles pump-7'],
  }),
  endpointCommand({
    path: 'machines awareness',
    endpoint: 'machines.awareness',
    words: ['slug'],
    examples: ['tickmesh machines awareness pump-7'],
  }),
]

export const machineSite: readonly Command[] = [...site, ...facts]
