import { ToolError } from '../call/tool-error.ts'
import { toStoredError } from '../ledger/finish-call.ts'
import type { JournalAnswer, JournalEntry, RunStore, Written } from '../ports/runs.ts'

/** The recorded answers of a run's operations, and those that are not written to the store yet. */
export class Journal {
  private readonly entries: Map<string, JournalEntry>
  private readonly visited = new Set<string>()
  private unwritten = new Map<string, JournalEntry>()
  private writing: Promise<Written> = Promise.resolve('written')
  private readonly write: (entries: readonly JournalEntry[]) => ReturnType<RunStore['write']>

  constructor(
    entries: readonly JournalEntry[],
    write: (entries: readonly JournalEntry[]) => ReturnType<RunStore['write']>,
  ) {
    this.entries = new Map(entries.map((entry) => [entry.path, entry]))
    this.write = write
  }

  /** The code reaches an operation. It may reach each path once. */
  visit(path: string): void {
    if (this.visited.has(path))
      throw new ToolError(
        'TOOL_INTERNAL_ERROR',
        `Two steps of one run have the path "${path}". Give each its own id.`,
      )
    this.visited.add(path)
  }

  /**
   * Steps of the code that were begun and have no answer yet; the runtime's own compensation steps
   * are not among them.
   */
  open(): readonly JournalEntry[] {
    return this.all().filter(
      ({ what, answer, path }) => what === 'step' && answer === undefined && !path.startsWith('~'),
    )
  }

  hasVisited(path: string): boolean {
    return this.visited.has(path)
  }

  at(path: string): JournalEntry | undefined {
    return this.entries.get(path)
  }

  all(): readonly JournalEntry[] {
    return [...this.entries.values()]
  }

  /** Records an entry; the next `flush` writes it. Until then nothing may depend on it. */
  put(entry: JournalEntry): undefined {
    this.entries.set(entry.path, entry)
    this.unwritten.set(entry.path, entry)
  }

  /** Records an entry that is in the store already. */
  addWritten(entry: JournalEntry): void {
    this.entries.set(entry.path, entry)
  }

  /** Writes are serialized, so that no entry is in the store without the entries before it. */
  flush(): Promise<Written> {
    const earlier = this.writing
    this.writing = earlier.then(async (before) => {
      if (before === 'lost') return 'lost'
      const entries = [...this.unwritten.values()]
      this.unwritten = new Map()
      return this.write(entries)
    })
    return this.writing
  }
}

/**
 * The result of an operation of a run. `waits`: its promise stays unsettled, and the run is driven
 * again when there is an answer.
 */
export type OperationResult =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: ToolError }
  | { readonly kind: 'waits' }

export const WAITING: OperationResult = { kind: 'waits' }

/** A recorded answer, as the code gets it each time it is replayed. */
export function replayAnswer(answer: JournalAnswer): OperationResult {
  if (answer.kind === 'value') return { kind: 'value', value: JSON.parse(answer.json) as unknown }
  return { kind: 'error', error: restoreError(answer) }
}

export function restoreError({
  code,
  message,
  details,
  data,
}: Extract<JournalAnswer, { kind: 'error' }>): ToolError {
  return new ToolError(code, message, {
    details: JSON.parse(details) as Record<string, unknown>,
    data: JSON.parse(data) as unknown,
  })
}

export function toJournalValue(value: unknown): JournalAnswer {
  return { kind: 'value', json: JSON.stringify(value ?? null) }
}

export function toJournalError(error: ToolError): JournalAnswer {
  return toStoredError(error)
}
