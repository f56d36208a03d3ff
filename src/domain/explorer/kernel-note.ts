import type { KernelNote } from './views.ts'

/** The seven protocol strings, as the interface document has them. */
export const PROTOCOL_STRINGS = [
  'KO42 mandatory',
  '1 to 3 domain operators plus KO42 (total ≤ 4)',
  'match operators to the domain',
  'tune inputs until error ≤ 0.1 %',
  'compile with the master equation',
  'execute with the functional equation E = P_ϕ · Z(M, R, δ, C, X)',
  'verify state phase, R_t, tick alignment and precision bound',
] as const

/** The formula of the modulation, as text. */
export const MODULATION = 'R(t) = S(t)[1 + α·sin(2π·f·t)]'
/** Amplitude of the modulation. */
export const ALPHA = 0.001
/** The precision bound, in percent. */
export const PRECISION_PCT = 0.1
/** Captions: display rounding of frequency and period. Arithmetic uses the integer nanoseconds. */
export const PULSE_HZ = 1.287
export const TICK_SEC = 0.777

/** The block that every pulse carries. */
export const kernelNote = (version: string): KernelNote => ({
  notice: 'A result is sealed only when its independently measured error is at most 0.1 %.',
  url: '/api/kernel',
  prompt: '/api/kernel/prompt',
  markdown: '/api/kernel/prompt?format=markdown',
  version,
  protocol: PROTOCOL_STRINGS,
})

/** What a caller, person or program, must know to compute here, in Markdown. */
export const kernelPrompt = (version: string, operators: number): string => `# KO42 kernel ${version}

This node runs physics and engineering computations and seals each result in a signed envelope, if and only if an
independent check measured an error of at most ${PRECISION_PCT} %.

## Protocol

${PROTOCOL_STRINGS.map((line, i) => `${i + 1}. ${line}`).join('\n')}

## How to compute

- \`GET /api/operators\` lists the ${operators} operators; \`GET /api/operators/{id}\` shows one, with its variables
  and an example.
- \`POST /api/svc/compute {"operators": ["KO42", "GR37"], "inputs": {"mass": 1.98892e30}}\` evaluates 1 to 3 of them.
- \`GET /api/solvers\` lists the solvers; \`POST /api/svc/heat {}\` runs one with its defaults.
- \`POST /api/quote {"route": "...", "input": {}}\` answers price, work and time, and runs nothing.
- A letter that could mean two things is asked for, never defaulted. A refused computation is free.

## Time

One tick is 777,000,777 ns exactly. ${MODULATION} with α = ${ALPHA}; its mean over a tick is S. It stamps results and
never alters one.

## What a receipt proves

Who signed, what was computed from which inputs by which code, and that the named check measured the named error. It
does not prove that the model fits reality.
`
