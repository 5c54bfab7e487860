import { columnsOf, cut, safeLine } from '@surehand/cli'
import type { Listed } from './last-list.ts'

export type TaskShown = {
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
export function taskLine(task: TaskShown, number: number, width: number): string {
  const facts = [
    task.due === undefined
      ? ''
      : `${task.overdue ? 'OVERDUE ' : ''}${task.due.day}${task.due.time === undefined ? '' : ` ${task.due.time}`}`,
    task.context === undefined ? '' : `@${task.context}`,
    task.minutes === undefined ? '' : `${task.minutes}m`,
    task.waiting_for === undefined ? '' : `waits for ${task.waiting_for}`,
    task.deferred_until === undefined ? '' : `put off to ${task.deferred_until}`,
    task.project === undefined ? '' : `+${task.project}`,
  ]
    .filter((fact) => fact !== '')
    .map(safeLine)
    .join('  ')
  return numbered(
    number,
    `${PRIORITIES[task.priority ?? ''] ?? '  '} ${safeLine(task.title)}`,
    facts,
    width,
  )
}

/** A number, what it is, and what is to say of it, in the width of the screen. */
export function numbered(number: number, what: string, facts: string, width: number): string {
  const head = `${String(number).padStart(3)}  `
  if (facts === '') return `${head}${cut(what, width - head.length)}`
  const room = Number.isFinite(width)
    ? Math.max(20, width - head.length - columnsOf(facts) - 2)
    : columnsOf(what)
  const shown = cut(what, room)
  const gap = Number.isFinite(width)
    ? ' '.repeat(Math.max(2, Math.min(44, room) - columnsOf(shown) + 2))
    : '  '
  return `${head}${shown}${gap}${facts}`
}

export function listedTask({ id, title }: TaskShown): Listed {
  return { kind: 'task', id, name: title }
}
