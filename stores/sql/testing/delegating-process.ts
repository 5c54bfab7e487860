import { auditEntryBy } from '@surehand/core/internal'
import { openPostgres, openSqlite } from '../src/sql-stores.ts'

// A process that delegates one approval request, says so, and waits to be killed.
const [kind = '', address = '', tenant = '', id = ''] = process.argv.slice(2)
const stores = await (kind === 'sqlite'
  ? openSqlite({ file: address })
  : openPostgres({ url: address }))
const by = { tenant, principal: 'ann', actor: 'user', roles: [], capabilities: [] } as const
const record = auditEntryBy(
  by,
  { id: `aud_${id}`, now: Date.now() },
  {
    phase: 'decision',
    call_id: `call_of_${id}`,
    tool_name: 'a.tool',
    outcome: 'delegated',
    success: true,
  },
)
process.stdout.write('open\n')
await stores.approvals.delegate(tenant, id, { to: 'ben', by: 'ann' }, record)
process.stdout.write('delegated\n')
setInterval(() => undefined, 60_000)
