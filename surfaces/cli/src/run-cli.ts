import { type FlagValues, formatToken, parseLine, type Token } from './arguments.ts'
import type { Command, CommandContext } from './command.ts'
import { COMMANDS, EXIT_NOTES } from './commands.ts'
import { nearest } from './nearest.ts'
import type { AppCommand, CliOptions, WithBackend } from './options.ts'
import { localTarget, resolveTarget, TARGET_FLAGS, type Target, targetWords } from './target.ts'
import { EXIT_USAGE, isUsageError, UsageError } from './usage-error.ts'

/** Flags that every command takes. */
const COMMON_FLAGS = { ...TARGET_FLAGS, json: 'switch', help: 'switch' } as const

/** Runs one command line and returns its exit code. Loads only what the command needs. */
export async function runCli(options: CliOptions): Promise<number> {
  try {
    return await dispatch(options)
  } catch (thrown) {
    return reportError(thrown, options)
  }
}

async function dispatch(options: CliOptions): Promise<number> {
  const { argv, terminal, version, commands } = options
  const [first] = argv
  if (first === '--version' || first === 'version') return writeAndSucceed(terminal, `${version}\n`)
  if (first === undefined) return writeAndSucceed(terminal, overview(version, commands))
  // A line that is being completed is unfinished: it must not be checked like one that was entered.
  if (first === '__complete')
    return (await import('./commands/complete.ts')).complete(options, argv.slice(1))
  const app = await findAppCommand(options)
  if (app !== undefined) return runAppCommand(app, options)
  const { flags, rest } = parseLine(argv, COMMON_FLAGS)
  const [name, ...words] = rest
  if (name === undefined) return writeAndSucceed(terminal, overview(version, commands))
  if (name.kind === 'flag')
    throw new UsageError(`There is no flag --${name.name} before a command.`, 'surehand help')
  if (name.text === 'help') return help(words, options)
  const command = COMMANDS.find((candidate) => candidate.name === name.text)
  if (command === undefined) throw unknownCommand(name.text, options)
  if (flags.has('help') && !(command.name === 'call' && words.length > 0))
    return writeAndSucceed(terminal, commandHelp(command))
  return runCommand(command, options)
}

async function runCommand(command: Command, options: CliOptions): Promise<number> {
  const { flags, rest } = parseLine(options.argv, { ...COMMON_FLAGS, ...command.flags })
  const context: CommandContext = {
    options,
    command,
    // Inherits the terminal, whose streams are opened on first use.
    terminal: Object.assign(Object.create(options.terminal) as typeof options.terminal, {
      program: await programWords(flags),
    }),
    line: { flags, rest: rest.slice(1) },
    format: flags.has('json') ? 'json' : 'words',
    localTarget: localTarget(flags),
    withBackend: createWithBackend(() => resolveTarget(flags, options.env), options),
  }
  // `call TOOL --help` describes the tool
  const run = flags.has('help')
    ? (await import('./commands/show.ts')).showCalled
    : await command.load()
  return run(context)
}

/** The words that printed commands begin with, so that they go where this one goes. */
async function programWords(flags: FlagValues): Promise<string> {
  const words = targetWords(flags)
  if (words.length === 0) return 'surehand'
  return (await import('./input-to-flags.ts')).quoteCommand(['surehand', ...words])
}

function createWithBackend(target: () => Target, options: CliOptions): WithBackend {
  return async (work, tool) => {
    const backend = await (await import('./open-backend.ts')).openBackend(target(), options, tool)
    try {
      return await work(backend)
    } finally {
      await backend.close()
    }
  }
}

type AppCommandLine = {
  readonly command: AppCommand
  readonly flags: FlagValues
  readonly rest: readonly string[]
}

/** A command of the app reads its own flags: it gets its words as they were typed. */
async function findAppCommand(options: CliOptions): Promise<AppCommandLine | undefined> {
  const { flags, rest } = parseLine(options.argv, TARGET_FLAGS)
  const [name] = rest
  const command = name?.kind === 'word' ? await findByName(name.text, flags, options) : undefined
  return command === undefined
    ? undefined
    : { command, flags, rest: rest.slice(1).map(formatToken) }
}

async function findByName(
  name: string,
  flags: FlagValues,
  { commands, findCommand }: CliOptions,
): Promise<AppCommand | undefined> {
  const listed = commands.find((candidate) => candidate.name === name)
  const isOwn = name === 'help' || COMMANDS.some((candidate) => candidate.name === name)
  return listed !== undefined || isOwn ? listed : findCommand?.(name, localTarget(flags))
}

function runAppCommand(
  { command, flags, rest }: AppCommandLine,
  options: CliOptions,
): Promise<number> | number {
  const { terminal, env } = options
  if (rest.includes('--help')) return writeAndSucceed(terminal, appCommandHelp(command))
  const target = resolveTarget(flags, env)
  if ('use' in command)
    return command.use(
      rest,
      terminal,
      createWithBackend(() => target, options),
    )
  return command.run(rest, terminal, target.kind === 'local' ? target.at : {})
}

function help(words: readonly Token[], options: CliOptions): number {
  const [name] = words
  if (name === undefined)
    return writeAndSucceed(options.terminal, overview(options.version, options.commands))
  const text = formatToken(name)
  const own = COMMANDS.find((candidate) => candidate.name === text)
  if (own !== undefined) return writeAndSucceed(options.terminal, commandHelp(own))
  const app = options.commands.find((candidate) => candidate.name === text)
  if (app === undefined) throw unknownCommand(text, options)
  return writeAndSucceed(options.terminal, appCommandHelp(app))
}

function unknownCommand(name: string, { commands }: CliOptions): UsageError {
  const near = nearest(name, [
    'help',
    ...COMMANDS.map((one) => one.name),
    ...commands.map((one) => one.name),
  ])
  return new UsageError(
    `There is no command "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'surehand help',
  )
}

function writeAndSucceed({ stdout }: CliOptions['terminal'], text: string): number {
  stdout.write(text)
  return 0
}

async function reportError(thrown: unknown, options: CliOptions): Promise<number> {
  const { terminal, argv } = options
  const { safeText } = await import('./safe-text.ts')
  const isJson = argv.includes('--json')
  if (isUsageError(thrown) || isParseArgsError(thrown)) {
    const suggestion = isUsageError(thrown) ? thrown.suggestion : `surehand help ${argv[0]}`
    // Node's advice about positional arguments would be read as a way to give the option.
    const message = thrown.message.replace(/ To specify a positional argument.*$/s, '')
    if (isJson) {
      const error = { code: 'USAGE', message, recovery_suggestions: [suggestion] }
      ;(await import('./print.ts')).printJson(terminal, { error })
    } else terminal.stderr.write(`${safeText(message)}\nTry:\n  ${safeText(suggestion)}\n`)
    return EXIT_USAGE
  }
  const { toEnvelopeError, printError, printJson } = await import('./print.ts')
  const { exitCodeOf } = await import('./exit-code.ts')
  const error = isConfigError(thrown)
    ? { code: 'TOOL_CONFIGURATION_ERROR', message: thrown.message }
    : toEnvelopeError(thrown)
  // Standard error is the log of a command: otherwise an unexpected exception would leave no trace.
  if (error.code === 'TOOL_INTERNAL_ERROR' && thrown instanceof Error)
    terminal.stderr.write(`${safeText(thrown.stack ?? thrown.message)}\n`)
  if (isJson) printJson(terminal, { error })
  else printError(terminal, error, {})
  return exitCodeOf({ error })
}

// The app's commands read their flags with node:util, which throws errors of its own.
function isParseArgsError(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS_')
  )
}

// Known by its name: the class belongs to the app. Its message names the setting and how to fix it.
function isConfigError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'ConfigError'
}

/** The page that `surehand help` prints. */
function overview(version: string, appCommands: readonly AppCommand[]): string {
  const names = [...COMMANDS, ...appCommands]
  const width = Math.max(...names.map(({ name }) => name.length), 'help'.length)
  const row = (name: string, summary: string): string => `  ${name.padEnd(width)}  ${summary}`
  return [
    `surehand ${version}: call tools under enforced contracts`,
    '',
    'Usage: surehand COMMAND [--json] [--help]',
    '',
    ...COMMANDS.map(({ name, summary }) => row(name, summary)),
    ...(appCommands.length === 0
      ? []
      : ['', ...appCommands.map(({ name, summary }) => row(name, summary))]),
    '',
    row('help', 'Show this page, or help for a COMMAND'),
    '',
    ...TARGET_LINES,
    '',
    'Exit codes:',
    ...EXIT_NOTES.map((line) => `  ${line}`),
    '',
    'Examples:',
    '  surehand search buy something',
    '  surehand show shop.buy',
    '  surehand call shop.buy --productId tea --quantity 2',
    '',
  ].join('\n')
}

const TARGET_LINES = [
  'Where commands go, and as whom (default: the profile in use, else the local data folder):',
  '  --profile NAME   --data DIR   --config FILE   --as PRINCIPAL   --tenant TENANT   SUREHAND_URL, SUREHAND_TOKEN',
]

/** The help of one command. */
function commandHelp(command: Command): string {
  return formatHelp(command.summary, command.usage, command.notes, command.examples)
}

function appCommandHelp({ summary, usage }: AppCommand): string {
  return formatHelp(summary, usage.split('\n'), [], [])
}

function formatHelp(
  summary: string,
  usage: readonly string[],
  notes: readonly string[],
  examples: readonly string[],
): string {
  return [
    `${summary.replace(/\.$/, '')}.`,
    '',
    ...usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} ${line}`),
    ...(notes.length === 0 ? [] : ['', ...notes.map((line) => `  ${line}`)]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((line) => `  ${line}`)]),
    '',
    ...TARGET_LINES,
    '',
  ].join('\n')
}
