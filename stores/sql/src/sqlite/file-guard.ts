import { statSync } from 'node:fs'
import { ToolError } from '@surehand/core/worker-entry'

/**
 * Notices that the database file was deleted or replaced while it is open: SQLite would go on
 * writing into a file that no path leads to any more. While the file is open, its number cannot be
 * given to another one, so device and number identify it.
 */
export class FileGuard {
  readonly #files: readonly string[]
  #known: readonly (string | undefined)[] = []
  #isReplaced = false

  /**
   * With its log only where a connection has written: the last one to be closed removes the log, as
   * the end of a writer's thread does.
   */
  constructor(file: string, log: 'with log' | 'without log') {
    this.#files = log === 'with log' ? [file, `${file}-wal`] : [file]
  }

  /** What the last look found; it costs nothing. */
  get wasReplaced(): boolean {
    return this.#isReplaced
  }

  /** Once replaced, a file stays so: only a restart opens the new one. */
  isReplaced(): boolean {
    if (this.#isReplaced) return true
    const found = this.#files.map(identify)
    // Not created yet.
    if (found[0] === undefined && this.#known.length === 0) return false
    // The write-ahead log is created by the first write.
    const isSame = found.every((id, index) => id === (this.#known[index] ?? id))
    if (isSame && found[0] !== undefined) this.#known = found
    else this.#isReplaced = true
    return this.#isReplaced
  }
}

function identify(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

export function replacedError(effect?: 'none'): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    'The database file was deleted or replaced while this server was running, so nothing more is written. An administrator must restore the file and restart the server.',
    {
      details: { source_code: 'database_replaced' },
      ...(effect === undefined ? {} : { effect }),
    },
  )
}
