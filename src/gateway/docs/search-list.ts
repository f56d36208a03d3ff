import { faults } from '#core/fault.ts'
import { problemDocs } from '#gateway/problem.ts'
import type { Description } from './description.ts'
import { errorCodes } from './error-pages.ts'
import { partOf } from './frame.ts'
import type { Library } from './library.ts'
import { operationAddress } from './operation-page.ts'

/** Everything that can be found by words: address, title, what it is, and further words. */
export const searchable = ({ documents }: Library, { operations }: Description): string =>
  JSON.stringify([
    ...operations.map(({ id, method, path, summary }) => [operationAddress(id), `${method} ${path}`, summary, id]),
    ...documents.map(({ address, title, shelf, headings }) => [
      address,
      title,
      partOf(shelf),
      headings.map(({ text }) => text).join(' '),
    ]),
    ...errorCodes.map((code) => [
      problemDocs(code),
      code,
      code === 'INTERNAL' ? 'The node failed.' : faults[code].title,
      '',
    ]),
  ])
