import { ToolError } from '@surehand/core/worker-entry'

// Blanks, comments and stray semicolons may precede the first word.
const FIRST_WORD = /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*([a-z]*)/i

const READS: ReadonlySet<string> = new Set(['select', 'with', 'values'])
// One list for both databases, so that a pack is portable.
const CONTROLS: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare'],
  // A session setting would still apply to the next call.
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

/** The kind of a statement, whatever precedes its first word. */
export function firstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[1]?.toLowerCase() ?? ''
}

export function isRead(text: string): boolean {
  return READS.has(firstWord(text))
}

// Cached, because classifying a text costs as much as reading a row. Texts that are built from data
// must not fill the memory.
const MOST_HARMLESS = 1_000
const harmless = new Set<string>()

/** Whether the statement would end the transaction or change the session for later calls. */
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
