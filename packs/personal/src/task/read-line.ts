import { isDay, readWhen, type When } from '@surehand/dates'
import { type Due, dueAt } from './due.ts'
import type { Here } from './here.ts'
import { takeHints } from './line-hints.ts'
import { given, type Task } from './task.ts'

/** What was read out of a line, and from which words. */
export type Recognised = {
  readonly kind: 'due' | 'tag' | 'context' | 'priority' | 'project' | 'minutes'
  readonly text: string
  readonly value: string
}

export type Line = Pick<
  Task,
  'title' | 'notes' | 'due' | 'tags' | 'context' | 'priority' | 'minutes'
> & {
  /** A project by a name that is still to be looked up. */
  readonly project?: { readonly said: string; readonly text: string }
  readonly recognised: readonly Recognised[]
  /** Words that repeat, such as "every Monday": a task is done once. */
  readonly repeats?: string
}

export const MOST_TITLE = 300
// below it a number or a month's name is as likely a part of the title
const SURE_ENOUGH = 0.5
const MOST_TAGS = 20

/** Reads "call Bob tomorrow 5pm #errands !high @phone +Garden ~15m", in the languages that dates are read in. */
export function readLine(text: string, here: Here): Line {
  const [first = '', ...more] = text.normalize('NFC').trim().split('\n')
  const { hints, rest } = takeHints(first)
  const when = whenIn(rest, here)
  const bare = when === undefined ? rest : without(rest, when)
  const whole = tidy(bare) || tidy(rest) || tidy(first)
  const isLong = whole.length > MOST_TITLE
  const notes = [...(isLong ? [whole] : []), ...more].join('\n').trim()
  const due = when === undefined ? undefined : dueAt(when.day, when.time, when.timeZone)
  const contexts = hints.filter(({ kind }) => kind === 'context').map(({ value }) => String(value))
  const tags = hints.filter(({ kind }) => kind === 'tag').map(({ value }) => String(value))
  const project = hints.find(({ kind }) => kind === 'project')
  return {
    title: isLong ? `${whole.slice(0, MOST_TITLE - 1).trimEnd()}…` : whole,
    // somebody is in one place at a time: further places are tags
    tags: [...new Set([...tags, ...contexts.slice(1)])].slice(0, MOST_TAGS),
    recognised: [
      ...hints.map(({ kind, text: said, value }) => ({ kind, text: said, value: String(value) })),
      ...told(when, due),
    ],
    ...given('notes', notes === '' ? undefined : notes),
    ...given('due', due),
    ...given('context', contexts[0]),
    ...given('priority', hints.find((hint) => hint.kind === 'priority')?.value),
    ...given('minutes', hints.find((hint) => hint.kind === 'minutes')?.value),
    ...given(
      'project',
      project === undefined ? undefined : { said: String(project.value), text: project.text },
    ),
    ...given('repeats', when?.recurrence === undefined ? undefined : oneSpaced(when.text)),
  }
}

function whenIn(line: string, { now, zone }: Here): When | undefined {
  return readWhen(line, { now, timeZone: zone, prefer: 'future' }).find(
    ({ confidence, aside, day }) =>
      isDay(day) && confidence >= SURE_ENOUGH && (aside === undefined || aside === 'deadline'),
  )
}

function told(when: When | undefined, due: Due | undefined): readonly Recognised[] {
  if (when === undefined || due === undefined) return []
  return [
    {
      kind: 'due',
      text: oneSpaced(when.text),
      value: due.time === undefined ? due.day : `${due.day} ${due.time} ${due.zone}`,
    },
  ]
}

// what leads to a date and says nothing without it; en, de, fr, es
const LEADING =
  /(?:^|\s)(?:by|on|at|until|till|due|before|for|am|bis|zum|um|fällig|vor dem|bis zum|le|pour|pour le|avant|avant le|d['’]ici|au|el|para|para el|hasta|hasta el|antes del?)\s*[:,]?\s*$/iu

function without(line: string, { text, index }: When): string {
  const before = line.slice(0, index)
  return `${before.replace(LEADING, ' ')} ${line.slice(index + text.length)}`
}

// a date may stand on both sides of a sign that was taken out
function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function tidy(text: string): string {
  return oneSpaced(text)
    .replace(/^[\s,;:–-]+|[\s,;:–-]+$/gu, '')
    .replace(/\s+([,;.!?])/g, '$1')
}
