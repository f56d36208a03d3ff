/** A host that cannot start as it is set up; the message tells a person which setting and why. */
export class MeshRefused extends Error {
  override readonly name = 'MeshRefused'
}
