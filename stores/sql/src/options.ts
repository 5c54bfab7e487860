import type { Pack } from '@surehand/core'

export type SqlOptions = {
  /** The packs whose tables are created and whose transactions can be called. */
  readonly packs?: readonly StoredPack[]
  /**
   * `shifted`: for tests, which shift or stop the database's clock through the table `test_clock`.
   */
  readonly time?: 'database' | 'shifted'
  /**
   * Keys of 32 bytes, stored outside the database. Fields marked `sensitive` are encrypted with the
   * first key and decrypted with any.
   */
  readonly secretKeys?: readonly Uint8Array[]
  /**
   * 32 bytes, stored outside the database and the same for all nodes. Audit records are sealed with
   * it, so that `verifyStored` finds those that another program has written.
   */
  readonly sealKey?: Uint8Array
  /**
   * `off`: every write has a transaction and a commit of its own, instead of sharing one with the
   * writes that arrive meanwhile. Slower under load; see docs/performance/group-commit.md.
   */
  readonly groupCommit?: 'on' | 'off'
  /**
   * Receives errors of background work that no caller waits for: batches of records, pruning,
   * sequencing.
   */
  readonly onTrouble?: (error: unknown) => void
}

/** The part of a pack that a store needs; the tools are optional and save loading their module. */
export type StoredPack = Pick<Pack, 'name' | 'data'> & Partial<Pick<Pack, 'tools'>>

export type SqliteOptions = SqlOptions & {
  readonly file: string
  /**
   * `calling-thread`: no thread of its own for writing, for a short-lived command. Transaction
   * functions then block everything else while they run.
   */
  readonly writer?: 'thread' | 'calling-thread'
}
export type PostgresOptions = SqlOptions & { readonly url: string; readonly poolSize?: number }
