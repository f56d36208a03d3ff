import { useState } from 'preact/hooks'
import { parseBundle } from '#core/bundle.ts'
import { VerifyPanel } from '#ui/receipt/verify-panel.tsx'

/** Verifies any bundle, from any node, with a key that the visitor brings. */
export const VerifyView = ({ vkey }: { readonly vkey: string }) => {
  const [file, take] = useState<File>()
  const [trusted, trust] = useState(vkey)
  const read = async (): Promise<unknown> => parseBundle((await file?.text()) ?? '')
  return (
    <article>
      <h2>Verify a receipt</h2>
      <form class="card" onSubmit={(event) => event.preventDefault()}>
        <div class="form-row">
          <label for="bundle">Bundle</label>
          <input
            id="bundle"
            type="file"
            accept="application/json,.json"
            onChange={(event) => take(event.currentTarget.files?.[0])}
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
            A log key, a public key in hex or a node id, from a source you trust. Filled in: what this node says of
            itself.
          </p>
        </div>
        {file !== undefined && (
          <VerifyPanel key={`${file.name} ${trusted}`} bundle={read} trusted={trusted} label="Verify" />
        )}
        <p class="about">Nothing leaves this browser: signature, proof and re-run happen here.</p>
      </form>
    </article>
  )
}
