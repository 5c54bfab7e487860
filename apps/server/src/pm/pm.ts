import { parseArgs } from 'node:util'
import { nearest, type Terminal, UsageError, type WithBackend } from '@surehand/cli'
import { ToolError } from '@surehand/core'
import { type PmContext, ToolFailed } from './pm-context.ts'

type Screen = (context: PmContext, words: readonly string[]) => Promise<number>

/** Each screen is loaded only when it is used. */
const SCREENS: Readonly<Record<string, () => Promise<Screen>>> = {
  today: async () => (await import('./today.ts')).showToday,
  capture: async () => (await import('./tasks.ts')).captureTask,
  inbox: async () => loadStateScreen('inbox'),
  waiting: async () => loadStateScreen('waiting_for'),
  someday: async () => loadStateScreen('someday_maybe'),
  next: async () => (await import('./tasks.ts')).showNextActions,
  done: async () => (await import('./tasks.ts')).completeTasks,
  defer: async () => (await import('./tasks.ts')).deferTasks,
  clarify: async () => (await import('./tasks.ts')).clarifyListed,
  delegate: async () => (await import('./tasks.ts')).delegateTasks,
  delete: async () => (await import('./tasks.ts')).deleteTasks,
  habits: async () => (await import('./habits.ts')).showHabits,
  habit: async () => (await import('./habits.ts')).addHabit,
  did: async () => (await import('./habits.ts')).recordHabits,
  projects: async () => (await import('./projects.ts')).showProjects,
  project: async () => (await import('./projects.ts')).addProject,
  explain: async () => (await import('./explain.ts')).explain,
  recommend: async () => (await import('./explain.ts')).recommend,
  plan: async () => (await import('./time.ts')).planDay,
  work: async () => (await import('./time.ts')).trackWork,
  review: async () => (await import('./time.ts')).reviewPeriod,
  note: async () => (await import('./notes.ts')).addNote,
  notes: async () => (await import('./notes.ts')).searchNotes,
  zone: async () => (await import('./data.ts')).setTimeZone,
  export: async () => (await import('./data.ts')).exportData,
  import: async () => (await import('./data.ts')).importData,
  sync: async () => (await import('./data.ts')).syncVault,
  feed: async () => (await import('./data.ts')).manageFeed,
  v1: async () => (await import('./v1.ts')).callV1,
  'forget-me': async () => (await import('./data.ts')).forgetMe,
}

const FLAGS = [
  'energy',
  'minutes',
  'context',
  'on',
  'frequency',
  'category',
  'remind',
  'cue',
  'by',
  'priority',
  'focus',
  'to',
] as const

/**
 * `surehand pm …`: the personal manager at a terminal, over the app that the command line names.
 */
export async function runPm(
  args: readonly string[],
  terminal: Terminal,
  withBackend: WithBackend,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      apply: { type: 'boolean' },
      ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' } as const])),
    },
  })
  const [name = 'today', ...words] = positionals
  const load = Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined
  if (load === undefined) throw unknownScreenError(name)
  const screen = await load()
  const flags = new Map(Object.entries(values).map(([flag, value]) => [flag, String(value)]))
  return withBackend(async (backend) => {
    if ((await backend.describe('task.capture')) === undefined) throw notEnabledError()
    try {
      return await screen(
        { backend, terminal, format: values.json === true ? 'json' : 'words', flags },
        words,
      )
    } catch (thrown) {
      if (thrown instanceof ToolFailed) return thrown.code
      throw thrown
    }
  })
}

function loadStateScreen(state: 'inbox' | 'waiting_for' | 'someday_maybe'): Promise<Screen> {
  return import('./tasks.ts').then(
    ({ showTasks }) =>
      (context) =>
        showTasks(context, state),
  )
}

function unknownScreenError(name: string): UsageError {
  const near = nearest(name, Object.keys(SCREENS))
  return new UsageError(
    `There is no "pm ${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'surehand help pm',
  )
}

function notEnabledError(): ToolError {
  return new ToolError(
    'TOOL_NOT_FOUND',
    'The personal manager is not enabled in this app, or you have no permission to use it.',
    {
      suggestions: [
        'Set SUREHAND_BUILT_IN=personal where the app is started, or "builtIn": ["personal"] in its configuration.',
      ],
    },
  )
}
