import { addDays } from '@surehand/dates'
import { type Score, scoreTask } from '../task/score-task.ts'
import { type Task, toTask } from '../task/task.ts'
import type { ProjectContext } from './project-context.ts'
import { TASK_OF_PROJECT } from './reach.ts'

export type NextAction = {
  readonly id: string
  readonly task: Task
  readonly score: Score /** The owner of the task. */
  readonly owner: string
}

// The limit of scored tasks; they are ordered so that due and important tasks are among these.
const MOST_WEIGHED = 500
const SOON_DAYS = 14

const SELECT = `select t.*, p.name as project_name from reached r
  join pm_projects p on p.tenant = r.tenant and p.id = r.id
  join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id
  where t.state = 'next_action' and (t.defer_until is null or t.defer_until <= ?) and p.state = 'active' and ${TASK_OF_PROJECT}`
const ORDER = `order by case when t.due_day <= ? then 0 when t.priority = 'high' then 1 when t.due_day is not null then 2 else 3 end,
  t.due_key, t.id limit ${MOST_WEIGHED + 1}`

/** The next actions of one project, or of all within reach, the most pressing first. */
export async function rankProjectActions(
  { read, reach, localTime }: ProjectContext,
  projectId: string | undefined,
): Promise<{ readonly actions: readonly NextAction[]; readonly isCut: boolean }> {
  const only =
    projectId === undefined
      ? { sql: '', values: [] }
      : { sql: ' and r.id = ?', values: [projectId] }
  const rows = await read(
    `${reach.sql} ${SELECT}${only.sql} ${ORDER}`,
    ...reach.values,
    localTime.today,
    ...only.values,
    addDays(localTime.today, SOON_DAYS),
  )
  const actions = rows.slice(0, MOST_WEIGHED).map((row): NextAction => {
    const task = toTask(row)
    return { id: task.id, task, owner: String(row.owner), score: scoreTask(task, { localTime }) }
  })
  return { actions: actions.sort(byScore), isCut: rows.length > MOST_WEIGHED }
}

function byScore(one: NextAction, other: NextAction): number {
  return other.score.total_score - one.score.total_score || (one.id < other.id ? -1 : 1)
}
