/** Digests of everything a replay must load; `solver` is name@revision. */
export interface Code {
  readonly release: string
  readonly registry: string
  readonly constants: string
  readonly math: string
  /** Kernel name → SHA-256 of its WebAssembly bytes. */
  readonly kernels: Readonly<Record<string, string>>
  readonly solver: string
}

/** The Merkle root over the digests of a steppable solver's states: one leaf every `every` steps, `count` leaves. */
export interface Steps {
  readonly root: string
  readonly every: number
  readonly count: number
}
