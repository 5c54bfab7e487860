import { defineTool } from '@surehand/core'
import { addDays, type Day, dayOfWeek, startOfDay } from '@surehand/dates'
import { z } from 'zod'
import type { Person } from '../person.ts'
import { personalData } from '../personal-data.ts'
import { optionalField } from '../task/task.ts'
import { accessibleProjects } from './accessible-projects.ts'
import { findProject } from './find-project.ts'
import type { Project } from './project.ts'
import { openProjectContext, PROJECT_READ, type ProjectContext } from './project-context.ts'
import { type ProjectFacts, readProjectFacts } from './project-facts.ts'
import { TASK_OF_PROJECT } from './reach.ts'
import { HEALTHS, PRIORITIES, PROJECT_STATES, ProjectNamed } from './shapes.ts'
import { judgeKnownHealth } from './summary.ts'

const STATES = PROJECT_STATES.filter((state) => state !== 'deleted')
const Count = z.number().int().min(0)

export const projectStatistics = defineTool({
  id: 'project.statistics',
  title: 'Project Statistics',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.statistics'],
  description:
    'Statistics of a project, or of all your projects: counts by state, priority and health, open, completed and overdue tasks, tasks completed per week, your own deep work, and a forecast for the open tasks.',
  input: z.object({
    project_name: ProjectNamed.optional(),
    weeks: z
      .number()
      .int()
      .min(1)
      .max(52)
      .default(8)
      .describe('How many weeks to look back, including the current one.'),
  }),
  output: z.object({
    project: z.string().optional().describe('Left out for all projects.'),
    projects: z.object({
      total: Count,
      by_state: z.record(z.string(), Count),
      by_priority: z.record(z.string(), Count),
      by_health: z.record(z.string(), Count).describe('unknown: there are no signals.'),
    }),
    tasks: z.object({ open: Count, completed: Count, overdue: Count, completed_in_period: Count }),
    throughput: z.array(z.object({ week_start: z.string(), completed: Count })),
    average_days_to_complete: z.number().optional(),
    forecast: z
      .object({ remaining: Count, per_week: z.number(), finishes_on: z.string() })
      .optional(),
    deep_work_minutes: Count.describe('Your own sessions in these weeks.'),
  }),
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    { name: 'of all', description: 'The last eight weeks', input: {} },
    {
      name: 'of one project',
      description: 'The last four weeks of one project',
      input: { project_name: 'PersonalManager', weeks: 4 },
    },
  ],
  async execute(execution) {
    const { project_name, weeks } = execution.input
    const context = await openProjectContext(execution, 'project.read')
    const project =
      project_name === undefined ? undefined : await findProject(project_name, context)
    const projects =
      project === undefined
        ? await accessibleProjects(context.read, context.reach, { states: STATES })
        : [project]
    const facts = await readProjectFacts(projects, context)
    const done = await readThroughput(context, { projectId: project?.id, weeks })
    const tasks = totals([...facts.values()])
    return {
      ...optionalField('project', project?.name),
      projects: {
        total: projects.length,
        by_state: countBy(STATES, projects, ({ state }) => state),
        by_priority: countBy(PRIORITIES, projects, ({ priority }) => priority),
        by_health: countBy([...HEALTHS, 'unknown'], projects, ({ id }) =>
          healthName(facts.get(id)),
        ),
      },
      tasks: {
        ...tasks,
        completed_in_period: done.weeks.reduce((sum, { completed }) => sum + completed, 0),
      },
      throughput: [...done.weeks],
      ...optionalField('average_days_to_complete', done.averageDays),
      ...optionalField(
        'forecast',
        forecastCompletion(tasks.open, done.weeks, context.localTime.today),
      ),
      deep_work_minutes: await readDeepWorkMinutes(context, project?.id, weeks),
    }
  },
})

function healthName(facts: ProjectFacts | undefined): string {
  return (facts === undefined ? undefined : judgeKnownHealth(facts)) ?? 'unknown'
}

function totals(facts: readonly ProjectFacts[]): {
  open: number
  completed: number
  overdue: number
} {
  const sum = (of: (one: ProjectFacts) => number) =>
    facts.reduce((total, one) => total + of(one), 0)
  return {
    open: sum(({ openTasks }) => openTasks),
    completed: sum(({ doneTasks }) => doneTasks),
    overdue: sum(({ overdueTasks }) => overdueTasks),
  }
}

function countBy(
  names: readonly string[],
  projects: readonly Project[],
  of: (project: Project) => string,
): Record<string, number> {
  return Object.fromEntries(
    names.map((name) => [name, projects.filter((project) => of(project) === name).length]),
  )
}

const SELECT_DEEP_WORK = `select sum(d.stopped_at - d.started_at) as lasted from reached r
  join pm_deep_work d on d.tenant = r.tenant and d.project_id = r.id
  where d.owner = ? and d.day >= ? and d.stopped_at is not null`

// The deep work of other members is private.
async function readDeepWorkMinutes(
  { read, reach, localTime, person }: ProjectContext & { readonly person: Person },
  projectId: string | undefined,
  weeks: number,
): Promise<number> {
  const only =
    projectId === undefined
      ? { sql: '', values: [] }
      : { sql: ' and r.id = ?', values: [projectId] }
  const from = addDays(localTime.today, -7 * weeks)
  const [row] = await read(
    `${reach.sql} ${SELECT_DEEP_WORK}${only.sql}`,
    ...reach.values,
    person.owner,
    from,
    ...only.values,
  )
  return Math.round(Number(row?.lasted ?? 0) / 60_000)
}

type Week = { readonly week_start: Day; readonly completed: number }

/**
 * The number of tasks completed in each week, Monday to Sunday in the person's zone; the last week
 * is the current one.
 */
async function readThroughput(
  { read, reach, localTime }: ProjectContext,
  { projectId, weeks }: { readonly projectId: string | undefined; readonly weeks: number },
): Promise<{ readonly weeks: readonly Week[]; readonly averageDays: number | undefined }> {
  const thisMonday = addDays(localTime.today, 1 - dayOfWeek(localTime.today))
  const mondays = Array.from({ length: weeks + 1 }, (_, index) =>
    addDays(thisMonday, (index - weeks + 1) * 7),
  )
  const starts = mondays.map((day) => startOfDay(day, localTime.zone))
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

type Forecast = {
  readonly remaining: number
  readonly per_week: number
  readonly finishes_on: Day
}

const FURTHEST_WEEKS = 520

/**
 * The day on which the open tasks will be finished at the pace of these weeks; undefined when
 * nothing was completed or it would take more than ten years.
 */
export function forecastCompletion(
  remaining: number,
  weeks: readonly Week[],
  today: Day,
): Forecast | undefined {
  const done = weeks.reduce((sum, { completed }) => sum + completed, 0)
  if (remaining === 0 || done === 0) return undefined
  const perWeek = done / weeks.length
  const weeksLeft = remaining / perWeek
  if (weeksLeft > FURTHEST_WEEKS) return undefined
  return {
    remaining,
    per_week: Math.round(perWeek * 100) / 100,
    finishes_on: addDays(today, Math.ceil(weeksLeft * 7)),
  }
}
