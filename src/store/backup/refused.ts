/** Why an archive or a restore is refused. */
export type BackupCode =
  /** The file is no archive. */
  | 'BACKUP_UNKNOWN'
  /** A later release wrote it. */
  | 'BACKUP_NEWER'
  /** It is not what was written: a part is altered, missing, twice or out of order. */
  | 'BACKUP_DAMAGED'
  /** It is encrypted, and what is given does not open it. */
  | 'BACKUP_LOCKED'
  /** The disk has no room for what it holds. */
  | 'BACKUP_NO_SPACE'
  /** There is nothing to write into an archive. */
  | 'BACKUP_EMPTY'
  /** A file of that name is there. */
  | 'BACKUP_EXISTS'
  /** The key files are missing, or those of another node. */
  | 'BACKUP_KEYS'
  /** The data here go further than the archive: to go on from it would sign a second history. */
  | 'LOG_ROLLED_BACK'
  /** The data here are another node's. */
  | 'OTHER_NODE'
  /** How far the data here go cannot be read. */
  | 'HEAD_UNKNOWN'

/** An archive or a restore that is refused; nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
  readonly code: BackupCode
  /** The part of the archive, where it is one that is wrong. */
  readonly part: string | undefined
  constructor(code: BackupCode, message: string, part?: string) {
    super(part === undefined ? message : `${part}: ${message}`)
    this.code = code
    this.part = part
  }
}

/** An archive that is not what was written. */
export const damaged = (part: string, what: string): BackupRefused => new BackupRefused('BACKUP_DAMAGED', what, part)
