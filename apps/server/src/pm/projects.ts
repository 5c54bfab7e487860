import { safeLine, screenWidth, UsageError } from '@surehand/cli'
import { bar } from './charts.ts'
import { rememberList } from './last-list.ts'
import { numbered } from './task-lines.ts'
import { dataOf, tell, type Use } from './use.ts'

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

/** How each project stands, the sickest first. */
export async function projects(use: Use, words: readonly string[]): Promise<number> {
  if (words.length > 0) return project(use, words.join(' '))
  const data = await dataOf<{ readonly projects: readonly Summary[] }>(use, 'project.list', {
    sort: 'health',
    limit: 100,
  })
  rememberList(data.projects.map(({ id, name }) => ({ kind: 'project', id, name })))
  const width = screenWidth(use.terminal.stdout)
  const lines = data.projects.map((one, index) =>
    numbered(index + 1, safeLine(one.name), factsOf(one), width),
  )
  return tell(
    use,
    data,
    lines.length === 0
      ? ['No projects yet: surehand pm project add "Move app" --by "end of May"']
      : lines,
  )
}

function factsOf({ progress, health, target_day, open_tasks, overdue_tasks }: Summary): string {
  const share = progress === undefined ? '░'.repeat(BAR) : bar(progress / 100, BAR)
  const per = progress === undefined ? '   –' : `${Math.round(progress)}%`.padStart(4)
  const late = overdue_tasks === 0 ? '' : `  ${overdue_tasks} overdue`
  const target = target_day === undefined ? '' : `  by ${target_day}`
  return `${share} ${per}  ${(health ?? 'no signals').padEnd(10)}  ${open_tasks} open${late}${target}`
}

async function project(use: Use, name: string): Promise<number> {
  const data = await dataOf<Status>(use, 'project.status', { project_name: name })
  const { basic_info: info, status_metrics: metrics } = data
  const list = (title: string, items: readonly string[] | undefined): readonly string[] =>
    items === undefined || items.length === 0
      ? []
      : ['', title, ...items.map((item) => `     ${safeLine(item)}`)]
  return tell(use, data, [
    `${safeLine(info.name ?? name)}${info.current_phase === undefined ? '' : ` (${safeLine(info.current_phase)})`}`,
    `     ${metrics.progress === undefined ? 'nothing tells how far it is' : `${bar(metrics.progress / 100, 24)} ${Math.round(metrics.progress)}%`}  ${
      metrics.health ?? 'no signals'
    }${info.target_completion === undefined ? '' : `  by ${info.target_completion.slice(0, 10)}`}`,
    ...list('Next', data.next_actions),
    ...list('Risks', data.risks),
    ...list('Done', data.completed_work),
  ])
}

export async function addProject(use: Use, [verb, ...words]: readonly string[]): Promise<number> {
  if (verb !== 'add' || words.length === 0)
    throw new UsageError('Say what the project is called.', 'surehand pm project add "Move app"')
  const { flags } = use
  const data = await dataOf<{ readonly project_info: { readonly name: string } }>(
    use,
    'project.create',
    {
      name: words.join(' '),
      ...(flags.has('by') ? { target_completion: flags.get('by') } : {}),
      ...(flags.has('priority') ? { priority: flags.get('priority') } : {}),
    },
  )
  return tell(use, data, [
    `"${safeLine(data.project_info.name)}" is a project now. Tasks join it with +${safeLine(data.project_info.name).split(' ')[0]}.`,
  ])
}
