import { parseBundle } from '#core/bundle.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { verifyBundle } from '#core/verify.ts'
import { ed25519KeyIsSound, ed25519Verify, sha256 } from '#crypto'
import { makers } from '../../scripts/vectors/makers.ts'
import { bundleVectors } from '../../scripts/vectors/wire.ts'
import { edgeCases, edgeCasesText } from '../core/cctv.ts'

/** What core answers, wherever it runs: with Node's crypto port there, with the browser's here. */
export interface Answers {
  /** Texts of the golden vectors, made anew. */
  readonly vectors: Readonly<Record<string, string>>
  /** SHA-256 of the list of Ed25519 edge cases, and a digit for each: does it verify, is its key sound. */
  readonly edgeCases: { readonly sha256: string; readonly verifies: string; readonly sound: string }
  /** What the golden bundle is judged under each form of its key. */
  readonly outcomes: readonly string[]
}

interface Golden {
  readonly bundle: object
  readonly trusted: readonly string[]
  readonly schemas: { readonly input: object; readonly output: object }
}

const digit = (holds: boolean): string => (holds ? '1' : '0')

/** Every answer. */
export const answers = (): Answers => {
  const cases = edgeCases()
  const golden = bundleVectors() as unknown as Golden
  return {
    vectors: Object.fromEntries(
      Object.entries(makers).map(([name, make]) => [name, `${JSON.stringify(make(), undefined, 2)}\n`]),
    ),
    edgeCases: {
      sha256: toHex(sha256(utf8(edgeCasesText(cases)))),
      verifies: cases.map(({ key, msg, sig }) => digit(ed25519Verify(fromHex(key), utf8(msg), fromHex(sig)))).join(''),
      sound: cases.map(({ key }) => digit(ed25519KeyIsSound(fromHex(key)))).join(''),
    },
    outcomes: golden.trusted.map((trusted) => {
      const bundle = parseBundle(JSON.stringify(golden.bundle))
      return verifyBundle({ bundle, trusted, schemas: () => golden.schemas }).outcome
    }),
  }
}
