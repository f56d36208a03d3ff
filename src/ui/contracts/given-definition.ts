/** Bytes of a file that a page reads: exports with all that a contract did are the largest. */
const FILE_BYTES_MAX = 134_217_728

type Part = Readonly<Record<string, unknown>>

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {}

/** What a file turned out to be. */
interface GivenContract {
  readonly kind: 'file' | 'export' | 'definition'
  /** What the contract says; of an export, by its newest version. */
  readonly definition: object
  /** The whole file. */
  readonly file: object
}

/**
 * What a text gives of a contract: a saved file, an export with all that it did, or a definition alone. Whether the
 * definition is sound is for the linter.
 *
 * @throws Error for what is none of them
 */
export const givenContract = (text: string): GivenContract => {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new Error('The file is no JSON.')
  }
  const { format, definition, versions, states } = partOf(file)
  const given = (kind: GivenContract['kind'], it: unknown): GivenContract => {
    if (typeof it !== 'object' || it === null) throw new Error('The file has no definition.')
    return { kind, definition: it, file: file as object }
  }
  if (format === 'tickmesh/contract-file/1') return given('file', definition)
  if (format === 'tickmesh/contract-export/1')
    return given('export', Array.isArray(versions) ? partOf(versions.at(-1))['definition'] : undefined)
  if (format !== undefined || states === undefined) throw new Error('The file is no contract.')
  return given('definition', file)
}

/** The same of a file that was chosen. @throws Error also for one that is too large */
export const givenContractIn = async (file: Blob): Promise<GivenContract> => {
  if (file.size > FILE_BYTES_MAX) throw new Error(`A page reads files of ${FILE_BYTES_MAX} bytes.`)
  return givenContract(await file.text())
}
