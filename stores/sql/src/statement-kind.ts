import { ToolError } from '@surehand/core/ground'

// blanks, comments and stray semicolons may stand before it
const FIRST_WORD = /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*([a-z]*)/i

const READS: ReadonlySet<string> = new Set(['select', 'with', 'values'])
// one list for both databases: what a pack may not do on one it may not do on the other
const CONTROLS: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare'],
  // a setting of the session would be the next call's too
  ...['set', 'reset', 'discard', 'listen', 'unlisten', 'deallocate', 'attach', 'detach', 'pragma', 'vacuum'],
])

/** What a statement is, whatever stands before it. */
export function firstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[1]?.toLowerCase() ?? ''
}

export function isRead(text: string): boolean {
  return READS.has(firstWord(text))
}

/** Would it end the transaction, or change the session for whoever comes next? */
export function isControl(text: string): boolean {
  return CONTROLS.has(firstWord(text))
}

export function notARead(): ToolError {
  return new ToolError('TOOL_CONFIGURATION_ERROR', 'A query only reads: SELECT, WITH … SELECT or VALUES.')
}
