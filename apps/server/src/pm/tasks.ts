import {
  CANCELLED,
  isInteractive,
  promptOn,
  safeLine,
  screenWidth,
  UsageError,
} from '@surehand/cli'
import { areNumbers, chosenOf } from './choices.ts'
import { finish } from './finish.ts'
import { type Listed, lastList, rememberList } from './last-list.ts'
import { listedTask, type TaskShown, taskLine } from './task-lines.ts'
import { dataOf, tell, type Use } from './use.ts'

type Captured = {
  readonly message: string
  readonly recognised: readonly { readonly kind: string; readonly value: string }[]
  readonly not_recognised: readonly { readonly text: string; readonly reason: string }[]
}
type List = { readonly tasks: readonly TaskShown[]; readonly next_cursor?: string }
type Next = {
  readonly actions: readonly { readonly task: TaskShown; readonly reason: string }[]
  readonly message: string
}

export async function capture(use: Use, words: readonly string[]): Promise<number> {
  if (words.length === 0)
    throw new UsageError(
      'Say what is to be remembered.',
      'surehand pm capture "call Bob tomorrow 5pm @phone"',
    )
  const data = await dataOf<Captured>(use, 'task.capture', { text: words.join(' ') })
  return tell(use, data, [
    safeLine(data.message),
    ...data.recognised.map(({ kind, value }) => `  ${kind.padEnd(8)} ${safeLine(value)}`),
    ...data.not_recognised.map(
      ({ text, reason }) => `  "${safeLine(text)}" was left as it is: ${safeLine(reason)}`,
    ),
  ])
}

const EMPTY: Readonly<Record<string, string>> = {
  inbox: 'The inbox is empty.',
  waiting_for: 'Nothing waits for anybody.',
  someday_maybe: 'Nothing is put away for some day.',
}

/** The tasks of a state, numbered. In the inbox, on a terminal, each may be decided on at once. */
export async function tasksIn(
  use: Use,
  state: 'inbox' | 'waiting_for' | 'someday_maybe',
): Promise<number> {
  const data = await dataOf<List>(use, 'task.list', { state, limit: 200 })
  rememberList(data.tasks.map(listedTask))
  const width = screenWidth(use.terminal.stdout)
  const lines = data.tasks.map((task, index) => taskLine(task, index + 1, width))
  tell(use, data, lines.length === 0 ? [EMPTY[state] ?? 'Nothing.'] : lines)
  const isAsked =
    state === 'inbox' && lines.length > 0 && use.format === 'words' && isInteractive(use.terminal)
  return isAsked ? clarify(use, data.tasks.map(listedTask)) : 0
}

const STATES = ['next_action', 'someday_maybe', 'reference', 'deleted'] as const

async function clarify(use: Use, listed: readonly Listed[]): Promise<number> {
  const prompt = promptOn(use.terminal)
  const answer = await prompt.ask('\nWhich do you decide on? (1,3,5 or 2-4; nothing: none)')
  if (answer === CANCELLED || answer.trim() === '') return 0
  const chosen = chosenOf(answer, listed.length).flatMap((number) => listed[number - 1] ?? [])
  const state = await prompt.choose(
    `What are they? (${chosen.map(({ name }) => `"${name}"`).join(', ')})`,
    STATES,
  )
  if (state === CANCELLED) return 0
  const lines: string[] = []
  for (const { id } of chosen)
    lines.push(
      safeLine(
        (await dataOf<{ readonly message: string }>(use, 'task.clarify', { task: id, to: state }))
          .message,
      ),
    )
  return tell(use, {}, lines)
}

export async function next(use: Use): Promise<number> {
  const { flags } = use
  const minutes = flags.get('minutes')
  const data = await dataOf<Next>(use, 'task.next', {
    limit: 10,
    ...(flags.has('energy') ? { energy: flags.get('energy') } : {}),
    ...(flags.has('context') ? { context: flags.get('context') } : {}),
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
  })
  rememberList(data.actions.map(({ task }) => listedTask(task)))
  const width = screenWidth(use.terminal.stdout)
  const lines = data.actions.flatMap(({ task, reason }, index) => [
    taskLine(task, index + 1, width),
    `        ${safeLine(reason)}`,
  ])
  return tell(use, data, lines.length === 0 ? [safeLine(data.message)] : lines)
}

/** Those of the last list that are meant, or one that is named. */
export function meant(words: readonly string[], kind: 'task' | 'habit'): readonly Listed[] {
  const said = words.join(' ')
  if (said === '') throw new UsageError('Say which are meant.', 'surehand pm done 1,3 or 2-4')
  if (!areNumbers(said)) return [{ kind, id: said, name: said }]
  const listed = lastList()
  return chosenOf(said, listed.length).flatMap((number) => listed[number - 1] ?? [])
}

export function done(use: Use, words: readonly string[]): Promise<number> {
  return finish(use, meant(words, 'task'))
}

/** `defer 1,3 next Monday`: the numbers first, then until when. */
export async function defer(use: Use, [which = '', ...until]: readonly string[]): Promise<number> {
  if (until.length === 0) throw new UsageError('Say until when.', 'surehand pm defer 2 next Monday')
  return each(use, meant([which], 'task'), (task) => [
    'task.defer',
    { task, until: until.join(' ') },
  ])
}

export function remove(use: Use, words: readonly string[]): Promise<number> {
  return each(use, meant(words, 'task'), (task) => ['task.delete', { task }])
}

async function each(
  use: Use,
  chosen: readonly Listed[],
  call: (task: string) => readonly [string, object],
): Promise<number> {
  const answers: { readonly message: string }[] = []
  for (const { id } of chosen) answers.push(await dataOf(use, ...call(id)))
  return tell(
    use,
    answers,
    answers.map(({ message }) => safeLine(message)),
  )
}
