import { ToolError } from '../call/tool-error.ts'
import type { JournalEntry, RunStore, Written } from '../ports/runs.ts'

/** What a run was told so far, and what is still to be written down. */
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

  /** The run comes to a place; it does so once. */
  visit(path: string): void {
    if (this.visited.has(path))
      throw new ToolError(
        'TOOL_INTERNAL_ERROR',
        `Two steps of one run have the place "${path}": give each an id of its own.`,
      )
    this.visited.add(path)
  }

  /** Steps of the code that were begun and not told; what the runtime adds itself, to take something back, is not among them. */
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

  /** Told from now on; on its way to the store with the next `flush`. Until then nothing has happened that depends on it. */
  put(entry: JournalEntry): undefined {
    this.entries.set(entry.path, entry)
    this.unwritten.set(entry.path, entry)
  }

  /** The store has it already. */
  know(entry: JournalEntry): void {
    this.entries.set(entry.path, entry)
  }

  /** One after the other, so that nothing stands in the store without what came before it. */
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
