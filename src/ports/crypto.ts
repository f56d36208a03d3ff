/** What pure code needs of cryptography, the same on Node and in a browser. All calls are synchronous. */
export interface CryptoPort {
  /** SHA-256, 32 bytes. */
  readonly sha256: (data: Uint8Array) => Uint8Array
  /** SHA-256 of a text's UTF-8, lower-case hex. A surrogate that is alone has no UTF-8: the caller refuses it. */
  readonly sha256OfText: (text: string) => string
  /** HMAC-SHA256, 32 bytes. */
  readonly hmacSha256: (key: Uint8Array, data: Uint8Array) => Uint8Array
  /** Bytes from the system's CSPRNG. */
  readonly randomBytes: (count: number) => Uint8Array
  /** The raw 32-byte Ed25519 public key of a 32-byte seed (RFC 8032). */
  readonly ed25519PublicKey: (seed: Uint8Array) => Uint8Array
  /** The 64-byte Ed25519 signature of `message` by a 32-byte seed (RFC 8032). */
  readonly ed25519Sign: (seed: Uint8Array, message: Uint8Array) => Uint8Array
  /** The one rule: S < L and the recomputed R equal, byte for byte, to the signature's R. Does not check the key. */
  readonly ed25519Verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
  /** A key fit to be registered: canonically encoded, not of small order, torsion-free. */
  readonly ed25519KeyIsSound: (publicKey: Uint8Array) => boolean
}

/** A key that signs without showing itself, away from the calling thread where the platform can. */
export interface Signer {
  /** Raw 32-byte Ed25519 public key. */
  readonly publicKey: Uint8Array
  /** The 64-byte Ed25519 signature of exactly these bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}
