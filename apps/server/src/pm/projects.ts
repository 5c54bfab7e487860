import { safeLine, screenWidth, UsageError } from '@surehand/cli'
import { drawBar } from './charts.ts'
import { storeLastList } from './last-list.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'
import { formatNumberedLine } from './task-lines.ts'

type Summary = {
  readonly id: string
  readonly name: string
  readonly priority: string
  readonly progress?: number
  readonly health?: string
  readonly target_day?: string
  readonly open_tasks: number
  readonly overdue_tasks: number
}
type Status = {
  readonly basic_info: {
    readonly name?: string
    readonly current_phase?: string
    readonly target_completion?: string
  }
  readonly status_metrics: {
    readonly progress?: number
    readonly health?: string
    readonly priority?: string
  }
  readonly completed_work?: readonly string[]
  readonly next_actions?: readonly string[]
  readonly risks?: readonly string[]
}

const BAR = 12

/** The health of each project, the worst first. */
export async function showProjects(context: PmContext, words: readonly string[]): Promise<number> {
  if (words.length > 0) return showProject(context, words.join(' '))
  const data = await callForData<{ readonly projects: readonly Summary[] }>(
    context,
    'project.list',
    {
      sort: 'health',
      limit: 100,
    },
  )
  storeLastList(data.projects.map(({ id, name }) => ({ kind: 'project', id, name })))
  const width = screenWidth(context.terminal.stdout)
  const lines = data.projects.map((one, index) =>
    formatNumberedLine(index + 1, safeLine(one.name), formatFacts(one), width),
  )
  return printResult(
    context,
    data,
    lines.length === 0
      ? ['No projects yet. Add one: surehand pm project add "New kitchen" --by "end of May"']
      : lines,
  )
}

function formatFacts({ progress, health, target_day, open_tasks, overdue_tasks }: Summary): string {
  const share = progress === undefined ? '░'.repeat(BAR) : drawBar(progress / 100, BAR)
  const per = progress === undefined ? '   –' : `${Math.round(progress)}%`.padStart(4)
  const late = overdue_tasks === 0 ? '' : `  ${overdue_tasks} overdue`
  const target = target_day === undefined ? '' : `  by ${target_day}`
  return `${share} ${per}  ${(health ?? 'no signals').padEnd(10)}  ${open_tasks} open${late}${target}`
}

async function showProject(context: PmContext, name: string): Promise<number> {
  const data = await callForData<Status>(context, 'project.status', { project_name: name })
  const { basic_info: info, status_metrics: metrics } = data
  const list = (title: string, items: readonly string[] | undefined): readonly string[] =>
    items === undefined || items.length === 0
      ? []
      : ['', title, ...items.map((item) => `     ${safeLine(item)}`)]
  return printResult(context, data, [
    `${safeLine(info.name ?? name)}${info.current_phase === undefined ? '' : ` (${safeLine(info.current_phase)})`}`,
    `     ${metrics.progress === undefined ? 'progress unknown' : `${drawBar(metrics.progress / 100, 24)} ${Math.round(metrics.progress)}%`}  ${
      metrics.health ?? 'no signals'
    }${info.target_completion === undefined ? '' : `  by ${info.target_completion.slice(0, 10)}`}`,
    ...list('Next', data.next_actions),
    ...list('Risks', data.risks),
    ...list('Done', data.completed_work),
  ])
}

export async function addProject(
  context: PmContext,
  [verb, ...words]: readonly string[],
): Promise<number> {
  if (verb !== 'add' || words.length === 0)
    throw new UsageError('Name the project.', 'surehand pm project add "New kitchen"')
  const { flags } = context
  const data = await callForData<{ readonly project_info: { readonly name: string } }>(
    context,
    'project.create',
    {
      name: words.join(' '),
      ...(flags.has('by') ? { target_completion: flags.get('by') } : {}),
      ...(flags.has('priority') ? { priority: flags.get('priority') } : {}),
    },
  )
  return printResult(context, data, [
    `Created the project "${safeLine(data.project_info.name)}". Add tasks to it with +${safeLine(data.project_info.name).split(' ')[0]}.`,
  ])
}
