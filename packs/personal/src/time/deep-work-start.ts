import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import { timeOf } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import type { Person, WriteExecution } from '../person.ts'
import { findProjectForTask } from '../task/find-project.ts'
import { findTask } from '../task/find-task.ts'
import { SELECT_TASKS, type Task, toTask } from '../task/task.ts'
import { TaskNamed } from '../task/task-fields.ts'
import { buildWriteRequest, readRequestTime, type WriteRequest } from '../task/write-request.ts'
import { findRunningSession, type Session, SessionView, sessionView } from './session.ts'
import { ownRights, timeWrite } from './time-contract.ts'

type Start = {
  readonly subject?: string | undefined
  readonly task?: string | undefined
  readonly project?: string | undefined
  readonly planned_minutes?: number | undefined
}

// When two sessions are started at once, the unique index stops the second insert, which then
// changes no row.
const INSERT = `insert into pm_deep_work (tenant, id, owner, subject, task_id, project_id, planned_minutes, started_at, day)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`

const startDeepWork = defineTransaction(
  'time.deep_work_start',
  async (tx: Tx, call: WriteRequest<Start> & { readonly id: string }) => {
    const localTime = await readRequestTime(tx, call)
    const { tenant, owner } = call.person
    const about = await findSubject(tx, call.person, call.input)
    const planned = call.input.planned_minutes ?? null
    const values = [
      about.subject,
      about.taskId,
      about.projectId,
      planned,
      localTime.now,
      localTime.today,
    ]
    const { changes } = await tx.run(INSERT, tenant, call.id, owner, ...values)
    const session = await findRunningSession(tx, call.person)
    if (session === undefined || changes === 0) throw alreadyRunningError(session, localTime)
    return {
      session: sessionView(session, localTime),
      message: `Deep work on "${session.subject}" began at ${timeOf(localTime.now, localTime.zone)}.`,
    }
  },
)

type Subject = {
  readonly subject: string
  readonly taskId: string | null
  readonly projectId: string | null
}

async function findSubject(
  tx: Tx,
  person: Person,
  { subject, task: query, project }: Start,
): Promise<Subject> {
  const task =
    query === undefined
      ? await findTaskCalled(tx, person, subject)
      : await findTask(tx.all, person, query)
  const within =
    project === undefined ? task?.project : await findProjectForTask(tx.all, person, project)
  const words = subject ?? task?.title ?? within?.name
  if (words !== undefined)
    return { subject: words, taskId: task?.id ?? null, projectId: within?.id ?? null }
  throw new ToolError(
    'TOOL_MISSING_REQUIRED_FIELD',
    'Name what the session is about: a subject, a task or a project.',
    {
      details: {
        validation_errors: [
          { field: 'subject', error: 'is required when neither a task nor a project is named' },
        ],
      },
    },
  )
}

const SELECT_CALLED = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.title_key = ?
  and t.state not in ('completed', 'deleted', 'reference') limit 2`

// A subject that is the title of exactly one open task means that task.
async function findTaskCalled(
  tx: Tx,
  { tenant, owner }: Person,
  subject: string | undefined,
): Promise<Task | undefined> {
  if (subject === undefined) return undefined
  const [found, other] = await tx.all(SELECT_CALLED, tenant, owner, nameKey(subject))
  return found === undefined || other !== undefined ? undefined : toTask(found)
}

function alreadyRunningError(session: Session | undefined, localTime: LocalTime): ToolError {
  const since =
    session === undefined
      ? ''
      : ` on "${session.subject}" since ${timeOf(session.startedAt, localTime.zone)}`
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `A session of deep work${since} is running. Stop it with time.deep_work_stop first.`,
    {
      details:
        session === undefined
          ? {}
          : {
              running: {
                subject: session.subject,
                started_at: sessionView(session, localTime).started_at,
              },
            },
    },
  )
}

export const deepWorkStart = defineTool({
  id: 'time.deep_work_start',
  title: 'Start deep work',
  category: 'time_management',
  description:
    'Start a session of deep work on a subject, a task or a project. Only one runs at a time: stop it with time.deep_work_stop.',
  version: '2.0.0',
  aliases: ['tools.time.deep_work_start'],
  input: z.object({
    subject: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('What it is about; by default the name of the task or project.'),
    task: TaskNamed.optional(),
    project: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Name or partial name of a project; by default that of the task.'),
    planned_minutes: z.int().min(5).max(480).optional(),
  }),
  output: z.object({ session: SessionView, message: z.string() }),
  contract: { ...timeWrite, permissions: ownRights('time.write', 'task.read') },
  examples: [
    { name: 'a subject', input: { subject: 'Chapter three', planned_minutes: 90 } },
    { name: 'a task', input: { task: 'Write the report' } },
  ],
  transaction: transact(startDeepWork, (execution: WriteExecution<Start>) => ({
    ...buildWriteRequest(execution, 'time.write', 'task.read'),
    id: execution.newId('dw'),
  })),
})
