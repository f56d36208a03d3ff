/** One line of an answer without what no proof needs: of a result its claim, of a refusal its problem. */
export const proofLine = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { answer } = value as { readonly answer?: { readonly claim?: unknown; readonly signature?: unknown } }
  return answer === undefined ? value : { ...value, answer: { claim: answer.claim, signature: answer.signature } }
}
