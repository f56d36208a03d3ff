/** Letters that a symbol spells out. */
const GREEK: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  eps: 'ε',
  epsilon: 'ε',
  zeta: 'ζ',
  eta: 'η',
  theta: 'θ',
  iota: 'ι',
  kappa: 'κ',
  lambda: 'λ',
  mu: 'μ',
  nu: 'ν',
  xi: 'ξ',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  upsilon: 'υ',
  phi: 'φ',
  varphi: 'ϕ',
  chi: 'χ',
  psi: 'ψ',
  omega: 'ω',
  Gamma: 'Γ',
  Delta: 'Δ',
  Theta: 'Θ',
  Lambda: 'Λ',
  Xi: 'Ξ',
  Pi: 'Π',
  Sigma: 'Σ',
  Phi: 'Φ',
  Psi: 'Ψ',
  Omega: 'Ω',
  hbar: 'ℏ',
}

/** Words that books set as a sign below or above a letter. */
const MARKS: Readonly<Record<string, string>> = {
  inf: '∞',
  plus: '+',
  minus: '−',
  par: '∥',
  perp: '⊥',
  star: '∗',
}

/** The one letter that a word is or spells out. */
export const letterOf = (word: string): string | undefined =>
  word.length === 1 ? word : Object.hasOwn(GREEK, word) ? GREEK[word] : undefined

/** The sign that a word at a letter stands for. */
export const markOf = (word: string): string | undefined => (Object.hasOwn(MARKS, word) ? MARKS[word] : undefined)
