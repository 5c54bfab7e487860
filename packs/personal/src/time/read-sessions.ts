import { addDays } from '@surehand/dates'
import type { Opened } from '../task/opening.ts'
import type { Range } from './deep-work-totals.ts'
import { SELECT_SESSIONS, type Session, sessionOf } from './session.ts'

// no session counts for longer than LONGEST_SESSION_MS: the day before may reach over midnight, and the day before that is the same day for who has travelled since
const REACH_DAYS = 2

/** Every session of which a minute may lie in these days. */
export async function sessionsIn(
  { read, person }: Pick<Opened, 'read' | 'person'>,
  { from, to }: Range,
  project?: { readonly id: string },
): Promise<readonly Session[]> {
  const within = project === undefined ? '' : ' and d.project_id = ?'
  const sql = `${SELECT_SESSIONS} where d.tenant = ? and d.owner = ? and d.day >= ? and d.day <= ?${within} order by d.started_at`
  const values = [person.tenant, person.owner, addDays(from, -REACH_DAYS), addDays(to, REACH_DAYS)]
  return (await read(sql, ...values, ...(project === undefined ? [] : [project.id]))).map(sessionOf)
}
