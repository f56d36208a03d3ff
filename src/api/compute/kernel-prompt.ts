import type { PulseView } from '#domain/explorer/views.ts'

/** What a caller, person or program, must know to compute here, in Markdown. */
export const kernelPrompt = (
  version: string,
  operators: number,
  { precision, alpha, modulation, _kernel }: Pick<PulseView, 'precision' | 'alpha' | 'modulation' | '_kernel'>,
): string => `# KO42 kernel ${version}

This node runs physics and engineering computations and seals each result in a signed envelope, if and only if an
independent check measured an error of at most ${precision} %.

## Protocol

${_kernel.protocol.map((line, i) => `${i + 1}. ${line}`).join('\n')}

## How to compute

- \`GET /api/operators\` lists the ${operators} operators; \`GET /api/operators/{id}\` shows one, with its variables
  and an example.
- \`POST /api/svc/compute {"operators": ["KO42", "GR37"], "inputs": {"mass": 1.98892e30}}\` evaluates 1 to 3 of them.
- \`GET /api/solvers\` lists the solvers; \`POST /api/svc/heat {}\` runs one with its defaults.
- \`POST /api/quote {"route": "...", "input": {}}\` answers price, work and time, and runs nothing.
- A letter that could mean two things is asked for, never defaulted. A refused computation is free.

## Time

One tick is 777,000,777 ns exactly. ${modulation} with α = ${alpha}; its mean over a tick is S. It stamps results and
never alters one.

## What a receipt proves

Who signed, what was computed from which inputs by which code, and that the named check measured the named error. It
does not prove that the model fits reality.
`
