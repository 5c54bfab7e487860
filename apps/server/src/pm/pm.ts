import { parseArgs } from 'node:util'
import { nearest, type Terminal, UsageError, type WithBackend } from '@surehand/cli'
import { ToolError } from '@surehand/core'
import { Refused, type Use } from './use.ts'

type Screen = (use: Use, words: readonly string[]) => Promise<number>

/** Each is loaded when it is asked for. */
const SCREENS: Readonly<Record<string, () => Promise<Screen>>> = {
  today: async () => (await import('./today.ts')).today,
  capture: async () => (await import('./tasks.ts')).capture,
  inbox: async () => stateOf('inbox'),
  waiting: async () => stateOf('waiting_for'),
  someday: async () => stateOf('someday_maybe'),
  next: async () => (await import('./tasks.ts')).next,
  done: async () => (await import('./tasks.ts')).done,
  defer: async () => (await import('./tasks.ts')).defer,
  delete: async () => (await import('./tasks.ts')).remove,
  habits: async () => (await import('./habits.ts')).habits,
  habit: async () => (await import('./habits.ts')).addHabit,
  did: async () => (await import('./habits.ts')).did,
  projects: async () => (await import('./projects.ts')).projects,
  project: async () => (await import('./projects.ts')).addProject,
  explain: async () => (await import('./explain.ts')).explain,
  recommend: async () => (await import('./explain.ts')).recommend,
  plan: async () => (await import('./time.ts')).plan,
  work: async () => (await import('./time.ts')).work,
  review: async () => (await import('./time.ts')).review,
  note: async () => (await import('./notes.ts')).note,
  notes: async () => (await import('./notes.ts')).notes,
  zone: async () => (await import('./data.ts')).zone,
  export: async () => (await import('./data.ts')).exportData,
  import: async () => (await import('./data.ts')).importData,
  sync: async () => (await import('./data.ts')).sync,
  feed: async () => (await import('./data.ts')).feed,
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

/** `surehand pm …`: the personal manager for people at a terminal, over whichever app the command line names. */
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
  if (load === undefined) throw unknown(name)
  const screen = await load()
  const flags = new Map(Object.entries(values).map(([flag, value]) => [flag, String(value)]))
  return withBackend(async (backend) => {
    if ((await backend.describe('task.capture')) === undefined) throw notHere()
    try {
      return await screen(
        { backend, terminal, format: values.json === true ? 'json' : 'words', flags },
        words,
      )
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.code
      throw thrown
    }
  })
}

function stateOf(state: 'inbox' | 'waiting_for' | 'someday_maybe'): Promise<Screen> {
  return import('./tasks.ts').then(
    ({ tasksIn }) =>
      (use) =>
        tasksIn(use, state),
  )
}

function unknown(name: string): UsageError {
  const near = nearest(name, Object.keys(SCREENS))
  return new UsageError(
    `There is no "pm ${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'surehand help pm',
  )
}

function notHere(): ToolError {
  return new ToolError(
    'TOOL_NOT_FOUND',
    'The personal manager is not switched on in this app, or you have no rights to it.',
    {
      suggestions: [
        'Set SUREHAND_BUILT_IN=personal where the app is started, or "builtIn": ["personal"] in its configuration.',
      ],
    },
  )
}
