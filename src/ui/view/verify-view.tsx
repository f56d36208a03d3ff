import { useEffect, useState } from 'preact/hooks'
import { useHanded } from '#ui/front/handed.ts'
import { useVerifying, VerifyButton, VerifyOutcome } from '#ui/receipt/verifying.tsx'

interface ChosenProps {
  readonly file: File
  readonly trusted: string
  readonly past: unknown
  /** Whether it was brought here to be verified: nobody has to press for it. */
  readonly handed: boolean
}

const Chosen = ({ file, trusted, past, handed }: ChosenProps) => {
  const verifying = useVerifying({ evidence: () => Promise.resolve(file), trusted, past })
  useEffect(() => {
    if (handed) verifying.start()
  }, [])
  return (
    <>
      <div class="actions">
        <VerifyButton of={verifying} label="Verify" />
        <span class="about">
          {file.name}, {file.size} bytes
        </span>
      </div>
      <VerifyOutcome of={verifying} />
    </>
  )
}

/** Verifies any bundle, from any node, with a key that the visitor brings. */
export const VerifyView = ({ vkey, past }: { readonly vkey: string; readonly past: unknown }) => {
  const [chosen, choose] = useState<{ readonly file: File; readonly time: number; readonly handed: boolean }>()
  const [trusted, trust] = useState(vkey)
  useHanded((file) => choose((old) => ({ file, time: (old?.time ?? 0) + 1, handed: true })))
  return (
    <article>
      <h2>Verify a receipt</h2>
      <p class="lead">
        A bundle is checked step by step, and its computation run again, bit for bit; a machine's chain, entry by entry.
        Nothing leaves this browser.
      </p>
      <form class="card" onSubmit={(event) => event.preventDefault()}>
        <div class="form-row">
          <label for="bundle">Bundle or chain</label>
          <input
            id="bundle"
            type="file"
            accept="application/json,.json,.chain"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0]
              choose((old) => (file === undefined ? undefined : { file, time: (old?.time ?? 0) + 1, handed: false }))
            }}
          />
        </div>
        <div class="form-row">
          <label for="trusted">Trusted key</label>
          <textarea
            id="trusted"
            rows={3}
            spellcheck={false}
            value={trusted}
            onInput={(event) => trust(event.currentTarget.value.trim())}
          />
          <p class="about">
            A log key, a public key in hex or a node id, from a source you trust. Filled in is what this node says of
            itself, which proves nothing about another node.
          </p>
        </div>
        {chosen !== undefined && (
          <Chosen key={`${chosen.time} ${trusted}`} file={chosen.file} {...{ trusted, past }} handed={chosen.handed} />
        )}
      </form>
    </article>
  )
}
