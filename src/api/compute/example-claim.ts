/** Stands for the digests of a release that no node has. */
const ZERO = '0'.repeat(64)

/**
 * A claim as another node could have made it: signed with the first key of RFC 8032's test vectors, on a Schwarzschild
 * radius. Its code is nobody's, so a node answers that it cannot be checked here.
 */
export const exampleClaim = {
  claim: {
    v: 1,
    node: '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV',
    log: 'tickmesh.log/12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV/2310000000',
    index: 0,
    token_id: '534388e653b474498e91875f3937329f',
    nonce: '00112233445566778899aabbccddeeff',
    kind: 'compute',
    operators: ['KO42', 'GR37'],
    zid: 'house',
    worker: null,
    code: {
      release: ZERO,
      registry: `sha256:${ZERO}`,
      constants: ZERO,
      math: ZERO,
      kernels: {},
      solver: 'compute@1',
    },
    registry_version: `sha256:${ZERO}`,
    kernel_version: '1.287.5',
    inputs_digest: '0bafcccfaebe2647b42a218c1d70ff8a72db6c8899a41d94ee3ecf456d186dd0',
    result_digest: '429c8db13670c295f370d154dd5f68484bf1749c7b582ed4b43edc055bd257ef',
    steps: null,
    value: 2954.007736491099,
    unit: 'm',
    precisionActual: 8.056569649616334e-15,
    check: {
      against: 'the relation re-evaluated at 50 digits from the same inputs, with all digits of the constants',
      measured: 8.056569649616334e-15,
      bound: 0.1,
    },
    receipt_digest: 'ea0ec2f130ef0829bd4a274676e3dfe02637f23cb9d3fcac399bb9e888180dc3',
    equations_digest: 'be69e0e397e20b7662a9f357b4d543a98feeb1ad1e0174225ea86f5ba220088c',
    tick: 7,
    phase: 0.25,
    price: 3,
    funding: 'free',
  },
  // R, then S, 32 bytes each.
  signature: [
    'b348f08594c735a4535253017bccf4c4dd61c68677b387cfb55410f7f10a7639',
    'eccee6c6caf67b3be433aee5ed95a154224180621e1d0702c34e03f57676400e',
  ].join(''),
  origin_public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  inputs: {
    operators: ['KO42', 'GR37'],
    inputs: {
      M: 1.98892e30,
    },
    solve_for: null,
    bracket: null,
  },
} as const
