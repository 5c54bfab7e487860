import { safeLine, UsageError } from '@surehand/cli'
import { bar, ticks } from './charts.ts'
import { dataOf, tell, type Use } from './use.ts'

type Block = {
  readonly time: string
  readonly kind: string
  readonly title: string
  readonly why: string
}
type Plan = {
  readonly day: string
  readonly blocks: readonly Block[]
  readonly not_placed: readonly { readonly title: string; readonly why: string }[]
  readonly message: string
}
type Chart = {
  readonly title: string
  readonly unit: string
  readonly labels: readonly string[]
  readonly values: readonly number[]
}
type Report = {
  readonly from: string
  readonly to: string
  readonly total_minutes: number
  readonly goal_minutes_a_day: number
  readonly by_day: readonly { readonly day: string; readonly minutes: number }[]
  readonly by_project: readonly { readonly project?: string; readonly minutes: number }[]
  readonly message: string
}
type Review = {
  readonly sentences: readonly string[]
  readonly habits: readonly {
    readonly name: string
    readonly kept?: number
    readonly expected?: number
  }[]
  readonly notes?: string
  readonly charts?: readonly Chart[]
}

export async function plan(use: Use, words: readonly string[]): Promise<number> {
  const data = await dataOf<Plan>(
    use,
    'time.plan_day',
    words.length === 0 ? {} : { day: words.join(' ') },
  )
  return tell(use, data, [
    data.day,
    '',
    ...data.blocks.map(
      ({ time, kind, title, why }) =>
        `  ${time}  ${MARKS[kind] ?? ' '} ${safeLine(title)}   ${safeLine(why)}`,
    ),
    ...(data.not_placed.length === 0 ? [] : ['', 'No room for']),
    ...data.not_placed.map(({ title, why }) => `     ${safeLine(title)}   ${safeLine(why)}`),
    '',
    safeLine(data.message),
  ])
}

const MARKS: Readonly<Record<string, string>> = { task: '■', habit: '○', break: ' ' }

/** `work start WHAT`, `work stop [--focus 4]`, `work report` */
export async function work(
  use: Use,
  [verb = 'report', ...words]: readonly string[],
): Promise<number> {
  if (verb === 'report') return report(use)
  const said = words.join(' ')
  const focus = use.flags.get('focus')
  const calls: Readonly<Record<string, readonly [string, object]>> = {
    start: ['time.deep_work_start', said === '' ? {} : { subject: said }],
    stop: [
      'time.deep_work_stop',
      {
        ...(focus === undefined ? {} : { focus: Number(focus) }),
        ...(said === '' ? {} : { note: said }),
      },
    ],
  }
  const call = Object.hasOwn(calls, verb) ? calls[verb] : undefined
  if (call === undefined)
    throw new UsageError(
      `There is no "pm work ${verb}".`,
      'surehand pm work start WHAT | stop | report',
    )
  const data = await dataOf<{ readonly message: string }>(use, ...call)
  return tell(use, data, [safeLine(data.message)])
}

async function report(use: Use): Promise<number> {
  const data = await dataOf<Report>(use, 'time.deep_work_report', {})
  const most = Math.max(data.goal_minutes_a_day, ...data.by_day.map(({ minutes }) => minutes))
  return tell(use, data, [
    `${data.from} to ${data.to}  ${ticks(data.by_day.map(({ minutes }) => minutes))}`,
    '',
    ...data.by_day.map(
      ({ day, minutes }) =>
        `  ${day}  ${bar(most === 0 ? 0 : minutes / most, 24)} ${hours(minutes)}`,
    ),
    '',
    ...data.by_project.map(
      ({ project, minutes }) =>
        `  ${hours(minutes).padStart(6)}  ${safeLine(project ?? 'no project')}`,
    ),
    safeLine(data.message),
  ])
}

function hours(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(Math.round(minutes % 60)).padStart(2, '0')}`
}

/** `review`, `review weekly`, `review weekly 2026-W03`; words after "note" are kept with it. */
export async function review(
  use: Use,
  [kind = 'daily', ...words]: readonly string[],
): Promise<number> {
  if (kind !== 'daily' && kind !== 'weekly')
    throw new UsageError(
      `There is no ${kind} review.`,
      'surehand pm review daily|weekly [note TEXT]',
    )
  if (words[0] === 'note') {
    const data = await dataOf<{ readonly message: string }>(use, 'time.review_note', {
      kind,
      notes: words.slice(1).join(' '),
    })
    return tell(use, data, [safeLine(data.message)])
  }
  const when = words.join(' ')
  const named = when === '' ? {} : kind === 'daily' ? { day: when } : { week: when }
  const data = await dataOf<Review>(use, `time.review_${kind}`, named)
  return tell(use, data, [
    ...data.sentences.map(safeLine),
    ...(data.charts ?? []).flatMap(chartLines),
    ...(data.notes === undefined ? [] : ['', `Your words: ${safeLine(data.notes)}`]),
  ])
}

function chartLines({ title, unit, labels, values }: Chart): readonly string[] {
  const most = Math.max(...values, 0)
  const width = Math.max(0, ...labels.map(({ length }) => length))
  const rows = labels.map((label, index) => {
    const value = values[index] ?? 0
    return `  ${safeLine(label).padEnd(width)}  ${bar(most === 0 ? 0 : value / most, 24)} ${value} ${unit}`
  })
  return values.length === 0 ? [] : ['', safeLine(title), ...rows]
}
