import { ToolError, type Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { isControl } from '../statement-kind.ts'
import type { Send } from './session.ts'
import type { Statements } from './statements.ts'

/** The transaction as a pack's function sees it: statements, but no way to end it. */
export function txOn(send: Send, statement: Statements): Tx {
  const run: (text: string, values: Parameters<Statements>[1]) => ReturnType<Send> = async (
    text,
    values,
  ) => {
    if (isControl(text)) {
      const message = `"${text.trim().slice(0, 40)}" is not for a transaction function: it commits with its call, or not at all.`
      throw new ToolError('TOOL_CONFIGURATION_ERROR', message, { effect: 'none' })
    }
    return send(statement(text, values))
  }
  return {
    get: async (text, ...values) => (await run(text, values)).rows[0] as Row | undefined,
    all: async (text, ...values) => (await run(text, values)).rows as Row[],
    run: async (text, ...values) => ({ changes: (await run(text, values)).rowCount ?? 0 }),
  }
}
