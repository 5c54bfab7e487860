import type { Pack } from '@surehand/core'

export type SqlOptions = {
  /** Whose tables are made and whose transactions are known. */
  readonly packs?: readonly Pick<Pack, 'name' | 'data'>[]
  /** `shifted`: tests add to the database's clock what the table `test_clock` says, or stop it there. */
  readonly time?: 'database' | 'shifted'
  /** 32 bytes each, kept outside the database: fields marked `sensitive` are encrypted with the first and opened with any. */
  readonly secretKeys?: readonly Uint8Array[]
  /** Hears of what went wrong where nobody waits for an answer: batches of records, pruning, sequencing. */
  readonly onTrouble?: (error: unknown) => void
}

export type SqliteOptions = SqlOptions & {
  readonly file: string
  /** `here`: no thread that writes, for a command that ends soon; local effects then hold up everything else while they work. */
  readonly writer?: 'thread' | 'here'
}
export type PostgresOptions = SqlOptions & { readonly url: string; readonly poolSize?: number }
