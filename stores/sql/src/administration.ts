import type { Row } from '@surehand/core/internal'
import type {
  AdminChange,
  AdminItem,
  AdminKind,
  AdminStore,
  AuditRecord,
  Changed,
  PageRequest,
} from '@surehand/core/ports'
import { isToolError, ToolError } from '@surehand/core/worker-entry'
import { insertRecord } from './audit/record-row.ts'
import type { Database } from './database.ts'
import type { Sealing } from './sealing.ts'
import { defineStep, type Sql } from './step.ts'

// These kinds hold credentials for other systems; all others are settings and hashes.
const SEALED: ReadonlySet<AdminKind> = new Set<AdminKind>(['credential', 'webhook', 'notification'])

/** What administrators can change at run time. */
export function sqlAdministration(database: Database, sealing: Sealing): AdminStore {
  // An item that cannot be decrypted is reported by its name, and the tenant's other items are
  // still returned.
  const opened = <I extends AdminItem | undefined>(item: I): I => {
    if (item === undefined || !SEALED.has(item.kind)) return item
    try {
      return { ...item, value: sealing.open(item.value, [item.tenant, item.kind, item.id]) }
    } catch (thrown) {
      return { ...item, value: '', unopened: doesNotOpen(item, thrown) }
    }
  }
  const seal = (change: AdminChange): AdminChange =>
    SEALED.has(change.kind) && change.value !== undefined
      ? { ...change, value: sealing.seal(change.value, [change.tenant, change.kind, change.id]) }
      : change
  return {
    version: (tenant) => database.step(adminVersion, { tenant }),
    get: async (tenant, kind, id) => opened(await database.step(getItem, { tenant, kind, id })),
    list: async (tenant, kind, page) =>
      (
        await (page === undefined
          ? database.step(listItems, { tenant, kind })
          : database.step(pageOfItems, { tenant, kind, page }))
      ).map(opened),
    async change(change, audit) {
      const changed = await database.step(changeItem, {
        change: seal(change),
        audit: sealing.record(audit),
      })
      return { ...changed, item: opened(changed.item) }
    },
  }
}

type ItemName = { readonly tenant: string; readonly kind: AdminKind; readonly id: string }

export const adminVersion = defineStep(
  'admin.version',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant }: { readonly tenant: string }) =>
    Number(
      (await sql.get('select version from admin_versions where tenant = ?', tenant))?.version ?? 0,
    ),
)

const SELECT =
  'select tenant, kind, id, value, version, updated_at from admin_items where tenant = ? and kind = ?'

export const getItem = defineStep(
  'admin.get',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, kind, id }: ItemName) =>
    itemOf(await sql.get(`${SELECT} and id = ? and value is not null`, tenant, kind, id)),
)

export const listItems = defineStep(
  'admin.list',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, kind }: Omit<ItemName, 'id'>) => {
    const rows = await sql.all(`${SELECT} and value is not null`, tenant, kind)
    return rows
      .map((row) => itemOf(row) as AdminItem)
      .sort((left, right) => (left.id < right.id ? -1 : 1))
  },
)

// Ordered by the database, whose collation also decides which ids come after another.
export const pageOfItems = defineStep(
  'admin.page',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, kind, page }: Omit<ItemName, 'id'> & { readonly page: PageRequest }) => {
    const { after = '', limit } = page
    const text = `${SELECT} and value is not null and id > ? order by id limit ?`
    const rows = await sql.all(text, tenant, kind, after, limit)
    return rows.map((row) => itemOf(row) as AdminItem)
  },
)

const UPSERT = `insert into admin_items (tenant, kind, id, value, version, updated_at) values (?, ?, ?, ?, ?, {now})
  on conflict (tenant, kind, id) do update set value = excluded.value, version = excluded.version, updated_at = excluded.updated_at
  returning tenant, kind, id, value, version, updated_at`

const RAISE = `insert into admin_versions (tenant, version) values (?, 1)
  on conflict (tenant) do update set version = admin_versions.version + 1 returning version`

export const changeItem = defineStep(
  'admin.change',
  { mode: 'durable', statements: 'many' },
  async (
    sql,
    { change, audit }: { readonly change: AdminChange; readonly audit: AuditRecord },
  ): Promise<Changed> => {
    const { tenant, kind, id, value, expected } = change
    // The version is raised first: its row lock makes other changes of the same tenant wait.
    const raised = await sql.get(RAISE, tenant)
    const stored = await sql.get(`${SELECT} and id = ?`, tenant, kind, id)
    const item = stored?.value === null ? undefined : itemOf(stored)
    if (item?.version !== expected)
      return { kind: 'stale', item: await keepVersion(sql, tenant, item) }
    const written = await sql.get(
      UPSERT,
      tenant,
      kind,
      id,
      value ?? null,
      Number(stored?.version ?? 0) + 1,
    )
    const { text, values } = insertRecord(audit)
    await sql.run(text, ...values)
    return {
      kind: 'changed',
      item: value === undefined ? undefined : itemOf(written),
      adminVersion: Number(raised?.version),
    }
  },
)

// Nothing was changed, so the version stays and no call is checked again.
async function keepVersion<T>(sql: Sql, tenant: string, item: T): Promise<T> {
  await sql.run('update admin_versions set version = version - 1 where tenant = ?', tenant)
  return item
}

function itemOf(row: Row | undefined): AdminItem | undefined {
  if (row === undefined) return undefined
  return {
    tenant: String(row.tenant),
    kind: row.kind as AdminKind,
    id: String(row.id),
    value: String(row.value),
    version: Number(row.version),
    updatedAt: Number(row.updated_at),
  }
}

function doesNotOpen({ kind, id }: AdminItem, thrown: unknown): ToolError {
  if (!isToolError(thrown)) throw thrown
  return new ToolError(thrown.code, `The stored ${kind} "${id}" does not open. ${thrown.message}`, {
    details: { ...thrown.details, kind, id },
    suggestions: [
      ...(thrown.suggestions ?? []),
      `Or set the ${kind} again: no other item is affected.`,
    ],
    effect: 'none',
    cause: thrown,
  })
}
