import { render } from 'preact'
import { VerifyPad } from '#ui/receipt/verify-pad.tsx'
import '#ui/style/base.css'
import '#ui/style/form.css'
import '#ui/style/header.css'
import '#ui/style/result.css'
import '#ui/style/receipt.css'
import '#ui/style/narrow.css'

const ABOUT_KEY =
  'Of the node whose receipts you trust: its log key, its public key in hex or its node id. Take it from the node’s ' +
  'own page or from its owner, not from whoever gave you the receipt. Without it everything else is checked, but not ' +
  'whose receipt it is.'

/** The verifier in one file: no node, no network, opened from a disk. */
const Verifier = () => (
  <main>
    <h1>Verify a receipt</h1>
    <p class="lead">
      Drop a receipt of a tickmesh node here. Its signatures and its place in the node's log are checked, and its
      computation is run again on this machine, to the last bit. This page is one file: it loads nothing and sends
      nothing, and works without a network.
    </p>
    <VerifyPad vkey="" past={undefined} aboutKey={ABOUT_KEY} everywhere />
    <p class="about">
      A receipt that holds proves who signed which result for which inputs, and that it stands in that node's log. It
      does not prove that the equations fit the world, nor when it was in anyone's time but the node's own.
    </p>
  </main>
)

const root = document.getElementById('page')
if (root !== null) render(<Verifier />, root)
