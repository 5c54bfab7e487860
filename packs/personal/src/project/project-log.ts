import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { findOneNamed } from '../match-name.ts'
import { SEVERITIES, type Severity } from './shapes.ts'

type LogKind = 'completed_work' | 'risk' | 'blocked'

/** An entry in the log of a project: completed work, a risk or an obstacle. */
export type LogEntry = {
  readonly id: string
  readonly kind: LogKind
  readonly text: string
  readonly severity: Severity | undefined
  readonly by: string
  readonly at: number
}

type LogPlace = { readonly tenant: string; readonly projectId: string }

const INSERT =
  'insert into pm_project_log (tenant, project_id, id, owner, kind, text, severity, at, closed_at) values (?, ?, ?, ?, ?, ?, ?, ?, null)'

export async function addEntry(
  tx: Tx,
  { tenant, projectId }: LogPlace,
  entry: LogEntry,
): Promise<void> {
  await tx.run(
    INSERT,
    tenant,
    projectId,
    entry.id,
    entry.by,
    entry.kind,
    entry.text,
    entry.severity ?? null,
    entry.at,
  )
}

const COLUMNS = 'l.id, l.kind, l.text, l.severity, l.owner, l.at'
const SELECT_OPEN = `select ${COLUMNS} from pm_project_log l
  where l.tenant = ? and l.project_id = ? and l.kind = ? and l.closed_at is null order by l.at desc, l.id desc limit 200`
const SELECT_LATEST = `select ${COLUMNS} from pm_project_log l where l.tenant = ? and l.project_id = ? and l.kind = ? order by l.at desc, l.id desc limit ?`
const CLOSE =
  'update pm_project_log set closed_at = ? where tenant = ? and project_id = ? and id = ?'

/** The open entries, the latest first. */
export async function openEntries(
  read: Tx['all'],
  { tenant, projectId }: LogPlace,
  kind: LogKind,
): Promise<readonly LogEntry[]> {
  return (await read(SELECT_OPEN, tenant, projectId, kind)).map(toLogEntry)
}

export async function latestEntries(
  read: Tx['all'],
  { tenant, projectId }: LogPlace,
  { kind, limit }: { readonly kind: LogKind; readonly limit: number },
): Promise<readonly LogEntry[]> {
  return (await read(SELECT_LATEST, tenant, projectId, kind, limit)).map(toLogEntry)
}

/** Closes an open entry, found by its id or its text. */
export async function closeEntry(
  tx: Tx,
  place: LogPlace,
  { kind, query, now }: { readonly kind: LogKind; readonly query: string; readonly now: number },
): Promise<LogEntry> {
  const open = (await openEntries(tx.all, place, kind)).map((entry) => ({
    id: entry.id,
    name: entry.text,
    entry,
  }))
  const { entry } = findOneNamed(query, open, kind === 'risk' ? 'open risk' : 'open obstacle')
  await tx.run(CLOSE, now, place.tenant, place.projectId, entry.id)
  return entry
}

function toLogEntry(row: Row): LogEntry {
  return {
    id: String(row.id),
    // Only these tools write the table.
    kind: row.kind as LogKind,
    text: String(row.text),
    severity: SEVERITIES.find((one) => one === row.severity),
    by: String(row.owner),
    at: Number(row.at),
  }
}
