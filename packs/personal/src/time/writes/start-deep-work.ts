import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import { timeOf } from '@surehand/dates'
import type { Person } from '../../person.ts'
import { projectFor } from '../../task/find-project.ts'
import { findTask } from '../../task/find-task.ts'
import type { Here } from '../../task/here.ts'
import { hereWhen, type Writing } from '../../task/writing.ts'
import { SELECT_SESSIONS, type Session, sessionOf, sessionView } from '../session.ts'

export type Start = {
  readonly subject?: string | undefined
  readonly task?: string | undefined
  readonly project?: string | undefined
  readonly planned_minutes?: number | undefined
}

// the unique index says who was first: of two that start at once, one changes no row
const INSERT = `insert into pm_deep_work (tenant, id, owner, subject, task_id, project_id, planned_minutes, started_at, day)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`

export const startDeepWork = defineTransaction(
  'time.deep_work_start',
  async (tx: Tx, call: Writing<Start> & { readonly id: string }) => {
    const here = await hereWhen(tx, call)
    const { tenant, owner } = call.person
    const about = await subjectOf(tx, call.person, call.input)
    const planned = call.input.planned_minutes ?? null
    const values = [about.subject, about.taskId, about.projectId, planned, here.now, here.today]
    const { changes } = await tx.run(INSERT, tenant, call.id, owner, ...values)
    const session = await runningSession(tx, call.person)
    if (session === undefined || changes === 0) throw alreadyRunning(session, here)
    return {
      session: sessionView(session, here),
      message: `Deep work on "${session.subject}" began at ${timeOf(here.now, here.zone)}.`,
    }
  },
)

type About = {
  readonly subject: string
  readonly taskId: string | null
  readonly projectId: string | null
}

async function subjectOf(
  tx: Tx,
  person: Person,
  { subject, task: said, project }: Start,
): Promise<About> {
  const task = said === undefined ? undefined : await findTask(tx.all, person, said)
  const within = project === undefined ? task?.project : await projectFor(tx.all, person, project)
  const words = subject ?? task?.title ?? within?.name
  if (words !== undefined)
    return { subject: words, taskId: task?.id ?? null, projectId: within?.id ?? null }
  throw new ToolError(
    'TOOL_MISSING_REQUIRED_FIELD',
    'Say what it is about: a subject, a task or a project.',
    {
      details: {
        validation_errors: [
          { field: 'subject', error: 'is needed where neither a task nor a project is named' },
        ],
      },
    },
  )
}

export async function runningSession(
  tx: Tx,
  { tenant, owner }: Person,
): Promise<Session | undefined> {
  const row = await tx.get(
    `${SELECT_SESSIONS} where d.tenant = ? and d.owner = ? and d.stopped_at is null`,
    tenant,
    owner,
  )
  return row === undefined ? undefined : sessionOf(row)
}

function alreadyRunning(session: Session | undefined, here: Here): ToolError {
  const since =
    session === undefined
      ? ''
      : ` on "${session.subject}" since ${timeOf(session.startedAt, here.zone)}`
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `Deep work${since} is under way: stop it with time.deep_work_stop first.`,
    {
      details:
        session === undefined
          ? {}
          : {
              running: {
                subject: session.subject,
                started_at: sessionView(session, here).started_at,
              },
            },
    },
  )
}
