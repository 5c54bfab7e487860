import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { instantText } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import type { Person } from '../person.ts'
import { isInProjectSql, optionalField } from '../task/task.ts'

/** A session of deep work; without an end it is running. */
export type Session = {
  readonly id: string
  readonly subject: string
  readonly project?: string
  readonly plannedMinutes?: number
  readonly startedAt: number
  readonly stoppedAt?: number
  readonly focus?: number
  readonly interruptions?: number
  readonly note?: string
}

export const SELECT_SESSIONS = `select d.*, p.name as project_name from pm_deep_work d left join pm_projects p on p.tenant = d.tenant and p.id = d.project_id
  and ${isInProjectSql('d')}`

/** Converts a row of `SELECT_SESSIONS`. */
export function toSession(row: Row): Session {
  return {
    id: String(row.id),
    subject: String(row.subject),
    startedAt: Number(row.started_at),
    ...optionalField('project', text(row.project_name ?? row.project_id)),
    ...optionalField('plannedMinutes', number(row.planned_minutes)),
    ...optionalField('stoppedAt', number(row.stopped_at)),
    ...optionalField('focus', number(row.focus)),
    ...optionalField('interruptions', number(row.interruptions)),
    ...optionalField('note', text(row.note)),
  }
}

function text(value: Row[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function number(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

const MINUTE_MS = 60_000

/**
 * The longest session that counts. It also bounds how far back a session can reach into a range of
 * days.
 */
export const LONGEST_SESSION_MS = 24 * 3_600_000

/**
 * The instant up to which a session counts: one that was imported with a length of years, or that
 * was never stopped, counts for its first day only.
 */
export function countedEnd(
  { startedAt, stoppedAt }: Pick<Session, 'startedAt' | 'stoppedAt'>,
  now: number,
): number {
  return Math.min(stoppedAt ?? now, startedAt + LONGEST_SESSION_MS)
}

/**
 * Whole minutes from the minute of the start to the minute of the end, so that days, hours and
 * projects add up to exactly this number.
 */
export function minutesOf(session: Pick<Session, 'startedAt' | 'stoppedAt'>, now: number): number {
  return Math.max(
    0,
    Math.floor(countedEnd(session, now) / MINUTE_MS) - Math.floor(session.startedAt / MINUTE_MS),
  )
}

export const SessionView = z.object({
  id: z.string(),
  subject: z.string(),
  project: z.string().optional(),
  planned_minutes: z.int().optional(),
  started_at: z.iso.datetime({ offset: true }),
  stopped_at: z.iso.datetime({ offset: true }).optional().describe('Left out while it is running.'),
  minutes: z.int(),
  focus: z.int().optional(),
  interruptions: z.int().optional(),
  note: z.string().optional(),
})

export function sessionView(
  session: Session,
  { now, zone }: LocalTime,
): z.infer<typeof SessionView> {
  const { id, subject, project, plannedMinutes, startedAt, stoppedAt, focus, interruptions, note } =
    session
  return {
    id,
    subject,
    started_at: instantText(startedAt, zone),
    minutes: minutesOf(session, now),
    ...optionalField('project', project),
    ...optionalField('planned_minutes', plannedMinutes),
    ...optionalField(
      'stopped_at',
      stoppedAt === undefined ? undefined : instantText(stoppedAt, zone),
    ),
    ...optionalField('focus', focus),
    ...optionalField('interruptions', interruptions),
    ...optionalField('note', note),
  }
}

export async function findRunningSession(
  tx: Tx,
  { tenant, owner }: Person,
): Promise<Session | undefined> {
  const row = await tx.get(
    `${SELECT_SESSIONS} where d.tenant = ? and d.owner = ? and d.stopped_at is null`,
    tenant,
    owner,
  )
  return row === undefined ? undefined : toSession(row)
}
