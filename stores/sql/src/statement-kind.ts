import { ToolError } from '@surehand/core/worker-entry'

// blanks, comments and stray semicolons may stand before it
const FIRST_WORD = /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*([a-z]*)/i

const READS: ReadonlySet<string> = new Set(['select', 'with', 'values'])
// one list for both databases: what a pack may not do on one it may not do on the other
const CONTROLS: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare'],
  // a setting of the session would be the next call's too
  ...[
    'set',
    'reset',
    'discard',
    'listen',
    'unlisten',
    'deallocate',
    'attach',
    'detach',
    'pragma',
    'vacuum',
  ],
])

/** What a statement is, whatever stands before it. */
export function firstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[1]?.toLowerCase() ?? ''
}

export function isRead(text: string): boolean {
  return READS.has(firstWord(text))
}

// texts are few and fixed, and looking at one costs as much as reading a row; those that are made out of data must not fill the memory
const MOST_HARMLESS = 1_000
const harmless = new Set<string>()

/** Would it end the transaction, or change the session for whoever comes next? */
export function isControl(text: string): boolean {
  if (harmless.has(text)) return false
  if (CONTROLS.has(firstWord(text))) return true
  if (harmless.size >= MOST_HARMLESS) harmless.clear()
  harmless.add(text)
  return false
}

export function notARead(): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'A query only reads: SELECT, WITH … SELECT or VALUES.',
  )
}
