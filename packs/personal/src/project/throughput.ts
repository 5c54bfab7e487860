import { addDays, type Day, dayOfWeek, startOfDay } from '@surehand/dates'
import type { Looking } from './project-facts.ts'
import { TASK_OF_PROJECT } from './reach.ts'

export type Week = { readonly week_start: Day; readonly completed: number }

/** How many tasks were completed in each of these weeks, which begin on Monday where the person is; the last is the present one. */
export async function throughput(
  { read, reach, here }: Looking,
  { projectId, weeks }: { readonly projectId: string | undefined; readonly weeks: number },
): Promise<{ readonly weeks: readonly Week[]; readonly averageDays: number | undefined }> {
  const thisMonday = addDays(here.today, 1 - dayOfWeek(here.today))
  const mondays = Array.from({ length: weeks + 1 }, (_, index) =>
    addDays(thisMonday, (index - weeks + 1) * 7),
  )
  const starts = mondays.map((day) => startOfDay(day, here.zone))
  const counts = starts
    .slice(1)
    .map(
      (_, index) =>
        `sum(case when t.completed_at >= ? and t.completed_at < ? then 1 else 0 end) as week_${index}`,
    )
  const bounds = starts.slice(1).flatMap((end, index) => [starts[index] ?? 0, end])
  const only =
    projectId === undefined
      ? { sql: '', values: [] }
      : { sql: ' and r.id = ?', values: [projectId] }
  const [row] = await read(
    `${reach.sql} select ${counts.join(', ')}, avg(t.completed_at - t.created_at) as lasted
      from reached r join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id
      where t.state = 'completed' and t.completed_at >= ? and ${TASK_OF_PROJECT}${only.sql}`,
    ...reach.values,
    ...bounds,
    starts[0] ?? 0,
    ...only.values,
  )
  const lasted = row?.lasted ?? null
  return {
    weeks: mondays
      .slice(0, -1)
      .map((week_start, index) => ({ week_start, completed: Number(row?.[`week_${index}`] ?? 0) })),
    averageDays: lasted === null ? undefined : Math.round((Number(lasted) / DAY_MS) * 10) / 10,
  }
}

const DAY_MS = 86_400_000
