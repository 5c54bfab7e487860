import type { SqlValue } from '@surehand/core/internal'
import type pg from 'pg'
import { translator } from '../portable.ts'
import type { Statement } from '../step.ts'
import { withoutNul } from './nul.ts'

/** Turns portable texts into statements that the server prepares once per session. */
export type Statements = (text: string, values: readonly SqlValue[]) => pg.QueryConfig

// A pack that builds texts from data must not fill the server's memory.
const MOST_NAMED = 1_000

export function statements(time: 'database' | 'shifted'): Statements {
  const translate = translator('postgres', time)
  const names = new Map<string, { readonly name: string; readonly text: string }>()

  function nameStatement(text: string): { readonly name?: string; readonly text: string } {
    const known = names.get(text)
    if (known !== undefined) return known
    const translated = translate(text)
    if (names.size >= MOST_NAMED) return { text: translated }
    const fresh = { name: `surehand_${names.size}`, text: translated }
    names.set(text, fresh)
    return fresh
  }

  // The extended protocol even without values: a simple query may hold several statements, and one
  // of them could end the transaction.
  return (text, values) =>
    ({
      ...nameStatement(text),
      values: values.map(bindValues),
      queryMode: 'extended',
    }) as pg.QueryConfig
}

function bindValues(value: SqlValue): SqlValue {
  return typeof value === 'string' ? withoutNul(value) : value
}

/**
 * Combines both: PostgreSQL runs the second only for the row that the first returns. Its parameters
 * follow those of the first.
 */
export function both(first: Statement, second: Statement): Statement {
  return {
    text: `with first as (${first.text} returning 1) ${second.text} where exists (select 1 from first)`,
    values: [...first.values, ...second.values],
  }
}
