import { type Contender, contenders, openerOf } from './contenders.ts'
import type { Conversation } from './count-conversation.ts'
import type { AuditFigures } from './time-audit.ts'
import type { WriterFigures } from './time-writer.ts'

/** What a child tells its parent. */
export type ChildReport =
  | { readonly status: 'measured'; readonly figures: Figures; readonly cpuMs: number }
  | { readonly status: 'failed'; readonly error: string }

export type Figures =
  | ({ readonly kind: 'writes' } & WriterFigures)
  | ({ readonly kind: 'counts' } & Conversation)
  | ({ readonly kind: 'audit' } & AuditFigures)

const [contenderId, place] = process.argv.slice(2)
const report = await measured().catch(
  (error: unknown): ChildReport => ({
    status: 'failed',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }),
)
process.send?.(report, undefined, {}, () => process.exit(0))

async function measured(): Promise<ChildReport> {
  const contender = contenders.find(({ id }) => id === contenderId)
  if (contender === undefined || place === undefined)
    throw new Error(`there is no contender ${contenderId}`)
  const figures = await figuresOf(contender, place)
  const { user, system } = process.cpuUsage()
  return { status: 'measured', figures, cpuMs: (user + system) / 1000 }
}

async function figuresOf(contender: Contender, at: string): Promise<Figures> {
  switch (contender.kind) {
    case 'writes': {
      const { timeWriter } = await import('./time-writer.ts')
      return {
        kind: 'writes',
        ...(await timeWriter(await openerOf(contender), at, contender.callers)),
      }
    }
    case 'counts': {
      const { countOnPostgres, countOnSqlite } = await import('./count-conversation.ts')
      const count = contender.store === 'sqlite' ? countOnSqlite : countOnPostgres
      return { kind: 'counts', ...(await count(await openerOf(contender), at)) }
    }
    case 'audit': {
      const { timeAudit } = await import('./time-audit.ts')
      return {
        kind: 'audit',
        ...(await timeAudit(await openStores(contender.store, at), contender.records)),
      }
    }
  }
}

async function openStores(store: Contender['store'], at: string) {
  if (store === 'sqlite')
    return (await import('../../../stores/sql/src/open-sqlite.ts')).openSqlite({ file: at })
  return (await import('../../../stores/sql/src/open-postgres.ts')).openPostgres({ url: at })
}
