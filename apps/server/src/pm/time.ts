import { safeLine, UsageError } from '@surehand/cli'
import { drawBar, drawTicks } from './charts.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'

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

export async function planDay(context: PmContext, words: readonly string[]): Promise<number> {
  const data = await callForData<Plan>(
    context,
    'time.plan_day',
    words.length === 0 ? {} : { day: words.join(' ') },
  )
  return printResult(context, data, [
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

/** `work start WHAT`, `work stop [--focus 4]`, `work report`. */
export async function trackWork(
  context: PmContext,
  [verb = 'report', ...words]: readonly string[],
): Promise<number> {
  if (verb === 'report') return reportWork(context)
  const text = words.join(' ')
  const focus = context.flags.get('focus')
  const calls: Readonly<Record<string, readonly [string, object]>> = {
    start: ['time.deep_work_start', text === '' ? {} : { subject: text }],
    stop: [
      'time.deep_work_stop',
      {
        ...(focus === undefined ? {} : { focus: Number(focus) }),
        ...(text === '' ? {} : { note: text }),
      },
    ],
  }
  const call = Object.hasOwn(calls, verb) ? calls[verb] : undefined
  if (call === undefined)
    throw new UsageError(
      `"pm work ${verb}" does not exist.`,
      'surehand pm work start WHAT | stop | report',
    )
  const data = await callForData<{ readonly message: string }>(context, ...call)
  return printResult(context, data, [safeLine(data.message)])
}

async function reportWork(context: PmContext): Promise<number> {
  const data = await callForData<Report>(context, 'time.deep_work_report', {})
  const most = Math.max(data.goal_minutes_a_day, ...data.by_day.map(({ minutes }) => minutes))
  return printResult(context, data, [
    `${data.from} to ${data.to}  ${drawTicks(data.by_day.map(({ minutes }) => minutes))}`,
    '',
    ...data.by_day.map(
      ({ day, minutes }) =>
        `  ${day}  ${drawBar(most === 0 ? 0 : minutes / most, 24)} ${formatHours(minutes)}`,
    ),
    '',
    ...data.by_project.map(
      ({ project, minutes }) =>
        `  ${formatHours(minutes).padStart(6)}  ${safeLine(project ?? 'no project')}`,
    ),
    safeLine(data.message),
  ])
}

function formatHours(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(Math.round(minutes % 60)).padStart(2, '0')}`
}

/**
 * `review`, `review weekly`, `review weekly 2026-W03`; the words after "note" are stored with it.
 */
export async function reviewPeriod(
  context: PmContext,
  [kind = 'daily', ...words]: readonly string[],
): Promise<number> {
  if (kind !== 'daily' && kind !== 'weekly')
    throw new UsageError(
      `"${kind}" is not a kind of review.`,
      'surehand pm review daily|weekly [note TEXT]',
    )
  if (words[0] === 'note') {
    const data = await callForData<{ readonly message: string }>(context, 'time.review_note', {
      kind,
      notes: words.slice(1).join(' '),
    })
    return printResult(context, data, [safeLine(data.message)])
  }
  const when = words.join(' ')
  const named = when === '' ? {} : kind === 'daily' ? { day: when } : { week: when }
  const data = await callForData<Review>(context, `time.review_${kind}`, named)
  return printResult(context, data, [
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
    return `  ${safeLine(label).padEnd(width)}  ${drawBar(most === 0 ? 0 : value / most, 24)} ${value} ${unit}`
  })
  return values.length === 0 ? [] : ['', safeLine(title), ...rows]
}
