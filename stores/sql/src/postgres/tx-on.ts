import { isToolError, ToolError, type Tx } from '@surehand/core'
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
    get: (text, ...values) =>
      quiet(run(text, values).then(({ rows }) => rows[0] as Row | undefined)),
    all: (text, ...values) => quiet(run(text, values).then(({ rows }) => rows as Row[])),
    run: (text, ...values) =>
      quiet(run(text, values).then(({ rowCount }) => ({ changes: rowCount ?? 0 }))),
  }
}

// A failed statement that the function did not await is reported by the commit, which is then a
// rollback. Without a handler its rejection would end the process.
function quiet<T>(statement: Promise<T>): Promise<T> {
  statement.catch(() => undefined)
  return statement
}

export function endedError(): ToolError {
  return new ToolError('TOOL_CANCELLED', 'The transaction has ended.', { effect: 'none' })
}

export function isEnded(thrown: unknown): boolean {
  return isToolError(thrown) && thrown.code === 'TOOL_CANCELLED'
}
