import { columnsOf, safeLine, truncate } from '@surehand/cli'
import type { ListedItem } from './last-list.ts'

export type ShownTask = {
  readonly id: string
  readonly title: string
  readonly state: string
  readonly priority?: string
  readonly context?: string
  readonly minutes?: number
  readonly project?: string
  readonly waiting_for?: string
  readonly overdue: boolean
  readonly deferred_until?: string
  readonly due?: { readonly day: string; readonly time?: string }
}

const PRIORITIES: Readonly<Record<string, string>> = { high: '!!', medium: '! ', low: '  ' }

/** `12  !! Call Bob                     2026-05-01 17:00  @phone  15m  Garden` */
export function formatTaskLine(task: ShownTask, number: number, width: number): string {
  const facts = [
    task.due === undefined
      ? ''
      : `${task.overdue ? 'OVERDUE ' : ''}${task.due.day}${task.due.time === undefined ? '' : ` ${task.due.time}`}`,
    task.context === undefined ? '' : `@${task.context}`,
    task.minutes === undefined ? '' : `${task.minutes}m`,
    task.waiting_for === undefined ? '' : `waits for ${task.waiting_for}`,
    task.deferred_until === undefined ? '' : `deferred to ${task.deferred_until}`,
    task.project === undefined ? '' : `+${task.project}`,
  ]
    .filter((fact) => fact !== '')
    .map(safeLine)
    .join('  ')
  return formatNumberedLine(
    number,
    `${PRIORITIES[task.priority ?? ''] ?? '  '} ${safeLine(task.title)}`,
    facts,
    width,
  )
}

/** Formats a number, a name and its facts to the width of the screen. */
export function formatNumberedLine(
  number: number,
  what: string,
  facts: string,
  width: number,
): string {
  const head = `${String(number).padStart(3)}  `
  if (facts === '') return `${head}${truncate(what, width - head.length)}`
  const room = Number.isFinite(width)
    ? Math.max(20, width - head.length - columnsOf(facts) - 2)
    : columnsOf(what)
  const shown = truncate(what, room)
  const gap = Number.isFinite(width)
    ? ' '.repeat(Math.max(2, Math.min(44, room) - columnsOf(shown) + 2))
    : '  '
  return `${head}${shown}${gap}${facts}`
}

export function toListedTask({ id, title }: ShownTask): ListedItem {
  return { kind: 'task', id, name: title }
}
