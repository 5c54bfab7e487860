import { dueEndpoints, takeNotices } from '../src/notices.ts'
import type { Sql, Statement } from '../src/step.ts'

/** The statements that look for due notices. */
export async function noticeStatements(): Promise<
  Readonly<Record<'endpoints' | 'notices', Statement>>
> {
  const asked = { tenant: 'acme', webhook: 'ops', limit: 4, holdMs: 1 }
  return {
    endpoints: await statementOf((sql) => dueEndpoints.run(sql, null)),
    notices: await statementOf((sql) => takeNotices.run(sql, asked)),
  }
}

async function statementOf(run: (sql: Sql) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = []
  const all: Sql['all'] = async (text, ...values) => {
    statements.push({ text, values })
    return []
  }
  await run({ all } as Sql)
  const [statement] = statements
  if (statement === undefined) throw new Error('No statement was run.')
  return statement
}
