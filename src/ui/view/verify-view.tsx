import { VerifyPad } from '#ui/receipt/verify-pad.tsx'

const ABOUT_KEY =
  'A log key, a public key in hex or a node id, from a source you trust. Filled in is what this node says of itself, ' +
  'which proves nothing about another node.'

/** Verifies any bundle, from any node, with a key that the visitor brings. */
export const VerifyView = ({ vkey, past }: { readonly vkey: string; readonly past: unknown }) => (
  <article>
    <h2>Verify a receipt</h2>
    <p class="lead">
      A receipt is checked step by step, and its computation run again, bit for bit; a machine's chain, entry by entry.
      Nothing leaves this browser.
    </p>
    <VerifyPad vkey={vkey} past={past} aboutKey={ABOUT_KEY} />
    <p class="about">
      The same without a node: <a href="/verify.html">the verifier in one file</a>, to be saved and opened from a disk.
    </p>
  </article>
)
