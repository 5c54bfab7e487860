import type { SqlValue } from '@surehand/core/internal'
import type { ReadContext } from '../read-context.ts'
import { type Score, type Situation, scoreTask } from './score-task.ts'
import { SELECT_TASKS, type Task, toTask } from './task.ts'

export type Ranked = { readonly task: Task; readonly score: Score }

// The limit of each pool. A person with more next actions gets the best of the soonest, the most
// important and the oldest.
const MOST_PER_POOL = 200

const POOLS = [
  "and t.due_key < '9999' order by t.due_key, t.id",
  "and t.priority = 'high' order by t.created_at, t.id",
  'order by t.created_at, t.id',
] as const

/**
 * The next actions that are possible in a situation, the most pressing first. Equal scores are
 * sorted by title, so that the order is stable.
 */
export async function rankNextActions(
  { read, person }: ReadContext,
  situation: Situation,
  project?: { readonly id: string },
): Promise<readonly Ranked[]> {
  const { sql, values } = doableConditions(situation, project)
  const own = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.state = 'next_action' ${sql}`
  const pools = await Promise.all(
    POOLS.map((pool) =>
      read(`${own} ${pool} limit ${MOST_PER_POOL}`, person.tenant, person.owner, ...values),
    ),
  )
  const tasks = new Map(pools.flat().map((row) => [String(row.id), toTask(row)]))
  return [...tasks.values()]
    .map((task) => ({ task, score: scoreTask(task, situation) }))
    .sort(byScore)
}

function byScore(one: Ranked, other: Ranked): number {
  if (one.score.total_score !== other.score.total_score)
    return other.score.total_score - one.score.total_score
  return one.task.title < other.task.title
    ? -1
    : one.task.title > other.task.title
      ? 1
      : one.task.id < other.task.id
        ? -1
        : 1
}

// An action that needs another context or more time is not possible now. Too little energy only
// lowers its score.
function doableConditions(
  { localTime, context, minutes }: Situation,
  project: { readonly id: string } | undefined,
): { sql: string; values: readonly SqlValue[] } {
  const parts: { readonly sql: string; readonly value: SqlValue }[] = [
    { sql: '(t.defer_until is null or t.defer_until <= ?)', value: localTime.today },
    ...(context === undefined
      ? []
      : [{ sql: '(t.context is null or t.context = ?)', value: context }]),
    ...(minutes === undefined
      ? []
      : [{ sql: '(t.minutes is null or t.minutes <= ?)', value: minutes }]),
    ...(project === undefined ? [] : [{ sql: 't.project_id = ?', value: project.id }]),
  ]
  return {
    sql: parts.map(({ sql }) => `and ${sql}`).join(' '),
    values: parts.map(({ value }) => value),
  }
}
