import {
  CANCELLED,
  createPrompt,
  isInteractive,
  safeLine,
  screenWidth,
  UsageError,
} from '@surehand/cli'
import { isNumberList, parseChoices } from './choices.ts'
import { type ListedItem, readLastList, storeLastList } from './last-list.ts'
import { markDone } from './mark-done.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'
import { formatTaskLine, type ShownTask, toListedTask } from './task-lines.ts'

type Captured = {
  readonly message: string
  readonly recognised: readonly { readonly kind: string; readonly value: string }[]
  readonly not_recognised: readonly { readonly text: string; readonly reason: string }[]
}
type List = { readonly tasks: readonly ShownTask[]; readonly next_cursor?: string }
type Next = {
  readonly actions: readonly { readonly task: ShownTask; readonly reason: string }[]
  readonly message: string
}

export async function captureTask(context: PmContext, words: readonly string[]): Promise<number> {
  if (words.length === 0)
    throw new UsageError(
      'There is nothing to capture.',
      'surehand pm capture "call Bob tomorrow 5pm @phone"',
    )
  const data = await callForData<Captured>(context, 'task.capture', { text: words.join(' ') })
  return printResult(context, data, [
    safeLine(data.message),
    ...data.recognised.map(({ kind, value }) => `  ${kind.padEnd(8)} ${safeLine(value)}`),
    ...data.not_recognised.map(
      ({ text, reason }) => `  "${safeLine(text)}" was not recognised: ${safeLine(reason)}`,
    ),
  ])
}

const EMPTY: Readonly<Record<string, string>> = {
  inbox: 'The inbox is empty.',
  waiting_for: 'No task waits for another person.',
  someday_maybe: 'No task is in someday/maybe.',
}

/**
 * Lists the tasks of a state with numbers. In the inbox of an interactive terminal, they can be
 * clarified at once.
 */
export async function showTasks(
  context: PmContext,
  state: 'inbox' | 'waiting_for' | 'someday_maybe',
): Promise<number> {
  const data = await callForData<List>(context, 'task.list', { state, limit: 200 })
  storeLastList(data.tasks.map(toListedTask))
  const width = screenWidth(context.terminal.stdout)
  const lines = data.tasks.map((task, index) => formatTaskLine(task, index + 1, width))
  printResult(context, data, lines.length === 0 ? [EMPTY[state] ?? 'Nothing.'] : lines)
  const isAsked =
    state === 'inbox' &&
    lines.length > 0 &&
    context.format === 'words' &&
    isInteractive(context.terminal)
  return isAsked ? clarifyTasks(context, data.tasks.map(toListedTask)) : 0
}

const STATES = ['next_action', 'someday_maybe', 'reference', 'deleted'] as const

async function clarifyTasks(context: PmContext, listed: readonly ListedItem[]): Promise<number> {
  const prompt = createPrompt(context.terminal)
  const answer = await prompt.text(
    'Which tasks do you want to clarify? (1,3,5 or 2-4; leave empty for none)',
  )
  if (answer === CANCELLED || answer.trim() === '') return 0
  const chosen = parseChoices(answer, listed.length).flatMap((number) => listed[number - 1] ?? [])
  const state = await prompt.choose(
    `What are they? (${chosen.map(({ name }) => `"${name}"`).join(', ')})`,
    STATES.map((value) => ({ value })),
  )
  if (state === CANCELLED) return 0
  const lines: string[] = []
  for (const { id } of chosen)
    lines.push(
      safeLine(
        (
          await callForData<{ readonly message: string }>(context, 'task.clarify', {
            task: id,
            to: state,
          })
        ).message,
      ),
    )
  return printResult(context, {}, lines)
}

export async function showNextActions(context: PmContext): Promise<number> {
  const { flags } = context
  const minutes = flags.get('minutes')
  const data = await callForData<Next>(context, 'task.next', {
    limit: 10,
    ...(flags.has('energy') ? { energy: flags.get('energy') } : {}),
    ...(flags.has('context') ? { context: flags.get('context') } : {}),
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
  })
  storeLastList(data.actions.map(({ task }) => toListedTask(task)))
  const width = screenWidth(context.terminal.stdout)
  const lines = data.actions.flatMap(({ task, reason }, index) => [
    formatTaskLine(task, index + 1, width),
    `        ${safeLine(reason)}`,
  ])
  return printResult(context, data, lines.length === 0 ? [safeLine(data.message)] : lines)
}

/** The items of the last list with these numbers, or one item by its name. */
export function resolveItems(
  words: readonly string[],
  kind: 'task' | 'habit',
): readonly ListedItem[] {
  const text = words.join(' ')
  if (text === '')
    throw new UsageError('Name the tasks by number or title.', 'surehand pm done 1,3 or 2-4')
  if (!isNumberList(text)) return [{ kind, id: text, name: text }]
  const listed = readLastList()
  return parseChoices(text, listed.length).flatMap((number) => listed[number - 1] ?? [])
}

export function completeTasks(context: PmContext, words: readonly string[]): Promise<number> {
  return markDone(context, resolveItems(words, 'task'))
}

/** `defer 1,3 next Monday`: the numbers first, then the day. */
export async function deferTasks(
  context: PmContext,
  [which = '', ...until]: readonly string[],
): Promise<number> {
  if (until.length === 0)
    throw new UsageError(
      'Give the day until which the task is deferred.',
      'surehand pm defer 2 next Monday',
    )
  return callForEach(context, resolveItems([which], 'task'), (task) => [
    'task.defer',
    { task, until: until.join(' ') },
  ])
}

/** What a person types for a state. */
const CLARIFIED: Readonly<Record<string, string>> = {
  next: 'next_action',
  someday: 'someday_maybe',
  reference: 'reference',
  delete: 'deleted',
}

/** `clarify 1,3 next`: the numbers first, then what they are. */
export async function clarifyListed(
  context: PmContext,
  [which = '', what = '']: readonly string[],
): Promise<number> {
  const to = Object.hasOwn(CLARIFIED, what) ? CLARIFIED[what] : undefined
  if (to === undefined)
    throw new UsageError(
      `Say what the tasks are: ${Object.keys(CLARIFIED).join(', ')}.`,
      'surehand pm clarify 1,3 next',
    )
  return callForEach(context, resolveItems([which], 'task'), (task) => [
    'task.clarify',
    { task, to },
  ])
}

/** `delegate 2 Bob --by "in a week"`: who does it now, and when to look at it again. */
export async function delegateTasks(
  context: PmContext,
  [which = '', ...who]: readonly string[],
): Promise<number> {
  if (who.length === 0)
    throw new UsageError('Name who does it now.', 'surehand pm delegate 2 Bob --by "in a week"')
  const by = context.flags.get('by')
  return callForEach(context, resolveItems([which], 'task'), (task) => [
    'task.delegate',
    { task, to: who.join(' '), ...(by === undefined ? {} : { follow_up: by }) },
  ])
}

export function deleteTasks(context: PmContext, words: readonly string[]): Promise<number> {
  return callForEach(context, resolveItems(words, 'task'), (task) => ['task.delete', { task }])
}

async function callForEach(
  context: PmContext,
  chosen: readonly ListedItem[],
  call: (task: string) => readonly [string, object],
): Promise<number> {
  const answers: { readonly message: string }[] = []
  for (const { id } of chosen) answers.push(await callForData(context, ...call(id)))
  return printResult(
    context,
    answers,
    answers.map(({ message }) => safeLine(message)),
  )
}
