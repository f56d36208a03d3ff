/** The file with the trusted key: the first line that is no comment is the key, as `verify --key` reads it. */
export const keyText = (node: string, vkey: string): string =>
  [
    `# The log key of the tickmesh node ${node}.`,
    '# Compare it with what the node or its owner says elsewhere: a key that came with the receipts',
    '# shows that they belong together, and not whose they are.',
    vkey,
    '',
  ].join('\n')

const ROTATED = `The node changed its key once; successions.json has the proof, signed by both keys. Drop it on the
verifier as well.

`

/** How to use the folder, for somebody who has never heard of a node. @param rotated whether the key was changed. */
export const howTo = (node: string, rotated: boolean): string =>
  `Receipts of a tickmesh node: how to check them

This folder holds results of computations, each as a receipt that you can check yourself. You need a
browser, and no network.

1. Open verify.html in a browser (double-click it). It is one file, loads nothing and sends nothing.
2. Drop node.key on it, or paste the key that the node's owner told you in another way. The key in
   this folder came with the receipts: on its own it shows that they belong together. To know whose
   they are, ask the owner of the node to read you this name, and compare:
     ${node}
3. Drop one or more files of the folder "receipts" on it.

Each is checked step by step: the signature, the inputs, the result, its place in the node's public
log; and the computation is run again on your machine, which must give the same bits. If a single
digit was changed, it says which step does not hold and what that means.

What it proves: the node of that key signed this result for these inputs, an independent check had
measured the stated error, and the receipt stands in the node's log.
What it does not prove: that the equations fit the world; when it was, in anyone's time but the
node's own; or who the node belongs to.

The files hold the inputs and results in full: whoever has them can read them.

${rotated ? ROTATED : ''}With tickmesh on a command line, the same is:
  tickmesh verify receipts/*.json --key node.key --replay${rotated ? ' --successions successions.json' : ''}
`
