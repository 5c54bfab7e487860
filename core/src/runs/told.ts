import { ToolError } from '../call/tool-error.ts'
import { storedError } from '../pipeline/endings.ts'
import type { JournalAnswer } from '../ports/runs.ts'

/** What an operation of a run came to. `waits`: nothing is told; the run is driven again when there is something to tell. */
export type Told =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: ToolError }
  | { readonly kind: 'waits' }

export const WAITS: Told = { kind: 'waits' }

/** An answer of the journal, as the code hears it each time. */
export function toldAgain(answer: JournalAnswer): Told {
  if (answer.kind === 'value') return { kind: 'value', value: JSON.parse(answer.json) as unknown }
  return { kind: 'error', error: errorOf(answer) }
}

export function errorOf({
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

export function valueAnswer(value: unknown): JournalAnswer {
  return { kind: 'value', json: JSON.stringify(value ?? null) }
}

export function errorAnswer(error: ToolError): JournalAnswer {
  return storedError(error)
}
