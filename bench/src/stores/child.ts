import { describeError, sendToParent } from '../harness/parent.ts'
import type { ChildFailure } from '../harness/run-child.ts'
import { type Contender, contenders, loadOpener } from './contenders.ts'
import type { CallCounts } from './count-call.ts'
import type { AuditFigures } from './time-audit.ts'
import type { WriterFigures } from './time-writer.ts'

/** The message that this process sends to its parent. */
export type ChildReport =
  | { readonly status: 'measured'; readonly figures: Figures; readonly cpuMs: number }
  | ChildFailure

export type Figures =
  | ({ readonly kind: 'writes' } & WriterFigures)
  | ({ readonly kind: 'counts' } & CallCounts)
  | ({ readonly kind: 'audit' } & AuditFigures)

const [contenderId, place] = process.argv.slice(2)
const report = await measure().catch(
  (thrown: unknown): ChildReport => ({ status: 'failed', error: describeError(thrown) }),
)
await sendToParent(report)
process.exit(0)

async function measure(): Promise<ChildReport> {
  const contender = contenders.find(({ id }) => id === contenderId)
  if (contender === undefined || place === undefined)
    throw new Error(`there is no contender ${contenderId}`)
  const figures = await measureContender(contender, place)
  const { user, system } = process.cpuUsage()
  return { status: 'measured', figures, cpuMs: (user + system) / 1000 }
}

async function measureContender(contender: Contender, at: string): Promise<Figures> {
  switch (contender.kind) {
    case 'writes': {
      const { timeWriter } = await import('./time-writer.ts')
      return {
        kind: 'writes',
        ...(await timeWriter(await loadOpener(contender), at, contender.callers)),
      }
    }
    case 'counts': {
      const { countOnPostgres, countOnSqlite } = await import('./count-call.ts')
      const count = contender.store === 'sqlite' ? countOnSqlite : countOnPostgres
      return { kind: 'counts', ...(await count(await loadOpener(contender), at)) }
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
    return (await import('../../../stores/sql/src/sql-stores.ts')).openSqlite({ file: at })
  return (await import('../../../stores/sql/src/sql-stores.ts')).openPostgres({ url: at })
}
