import type { Row, SqlValue } from '@surehand/core/internal'
import { dayOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import { computeProgress, type HealthFacts } from './health.ts'
import type { Project } from './project.ts'
import type { ProjectContext } from './project-context.ts'
import { OPEN_TASK, TASK_OF_PROJECT } from './reach.ts'

export type ProjectFacts = HealthFacts & {
  /** The instant of the last change, at least that of the creation. */
  readonly changedAt: number
  /** Next actions, including deferred ones. */
  readonly nextActions: number
}

// The same rule as `isOverdue` of a task: a day is overdue when it has ended in the person's zone,
// an instant is the same everywhere.
export const OVERDUE_TASK = '((t.due_at is null and t.due_day < ?) or t.due_at < ?)'

const COUNT_TASKS = `select t.project_id,
    sum(case when t.state = 'completed' then 1 else 0 end) as done,
    sum(case when ${OPEN_TASK} then 1 else 0 end) as open,
    sum(case when ${OPEN_TASK} and t.due_day is not null then 1 else 0 end) as dated,
    sum(case when t.state = 'next_action' then 1 else 0 end) as next,
    sum(case when ${OPEN_TASK} and ${OVERDUE_TASK} then 1 else 0 end) as overdue,
    max(t.updated_at) as changed
  from reached r join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id
  where t.state <> 'deleted' and ${TASK_OF_PROJECT}`

const COUNT_LOG = `select l.project_id, l.kind, l.severity,
    count(*) as ever,
    sum(case when l.closed_at is null then 1 else 0 end) as open,
    min(case when l.closed_at is null then l.at else null end) as oldest,
    max(l.at) as changed, max(l.closed_at) as closed
  from reached r join pm_project_log l on l.tenant = r.tenant and l.project_id = r.id where 1 = 1`

// Above this number, all projects within reach are counted, because the number of parameters of a
// statement is limited.
const MOST_NAMED = 200

/** The facts about these projects, counted by the database. */
export async function readProjectFacts(
  projects: readonly Project[],
  context: ProjectContext,
): Promise<ReadonlyMap<string, ProjectFacts>> {
  if (projects.length === 0) return new Map()
  const { read, reach, localTime } = context
  const named = projects.length > MOST_NAMED ? [] : projects.map(({ id }) => id)
  // The condition is on the projects, not on the tasks: each task would be compared with the whole
  // list.
  const only = named.length === 0 ? '' : ` and r.id in (${named.map(() => '?').join(', ')})`
  const [tasks, log] = await Promise.all([
    read(
      `${reach.sql} ${COUNT_TASKS}${only} group by t.project_id`,
      ...reach.values,
      localTime.today,
      localTime.now,
      ...named,
    ),
    read(
      `${reach.sql} ${COUNT_LOG}${only} group by l.project_id, l.kind, l.severity`,
      ...reach.values,
      ...named,
    ),
  ])
  const tasksOf = new Map(tasks.map((row) => [String(row.project_id), row]))
  const logOf = Map.groupBy(log, (row) => String(row.project_id))
  return new Map(
    projects.map((project) => [
      project.id,
      toProjectFacts(
        project,
        { tasks: tasksOf.get(project.id), log: logOf.get(project.id) ?? [] },
        localTime,
      ),
    ]),
  )
}

type Counted = { readonly tasks: Row | undefined; readonly log: readonly Row[] }

function toProjectFacts(
  project: Project,
  { tasks, log }: Counted,
  { today, zone }: LocalTime,
): ProjectFacts {
  const counts = { doneTasks: Number(tasks?.done ?? 0), openTasks: Number(tasks?.open ?? 0) }
  const blocks = log.filter(({ kind }) => kind === 'blocked')
  const risks = log.filter(({ kind }) => kind === 'risk')
  const changes = [
    tasks?.changed,
    project.updatedAt > project.createdAt ? project.updatedAt : null,
    ...log.flatMap(({ changed, closed }) => [changed, closed]),
  ]
  const activity = numbers(changes)
  const lastActivity = activity.length === 0 ? undefined : Math.max(...activity)
  const waiting = numbers(blocks.map(({ oldest }) => oldest))
  return {
    today,
    state: project.state,
    createdOn: dayOf(project.createdAt, zone),
    targetDay: project.targetDay,
    progress: computeProgress(project.givenProgress, counts),
    isProgressGiven: project.givenProgress !== undefined,
    ...counts,
    datedTasks: Number(tasks?.dated ?? 0),
    overdueTasks: Number(tasks?.overdue ?? 0),
    openBlocks: total(blocks, 'open'),
    oldestBlockDay: waiting.length === 0 ? undefined : dayOf(Math.min(...waiting), zone),
    blocksEver: total(blocks, 'ever'),
    openRisks: {
      high: total(
        risks.filter(({ severity }) => severity === 'high'),
        'open',
      ),
      medium: total(
        risks.filter(({ severity }) => severity !== 'high' && severity !== 'low'),
        'open',
      ),
      low: total(
        risks.filter(({ severity }) => severity === 'low'),
        'open',
      ),
    },
    risksEver: total(risks, 'ever'),
    lastActivityDay: lastActivity === undefined ? undefined : dayOf(lastActivity, zone),
    changedAt: lastActivity ?? project.createdAt,
    nextActions: Number(tasks?.next ?? 0),
  }
}

function total(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)
}

function numbers(values: readonly (SqlValue | undefined)[]): readonly number[] {
  return values.flatMap((one) => (one === null || one === undefined ? [] : [Number(one)]))
}
