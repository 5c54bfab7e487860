import { type Taken, type Token, take, tokens } from './arguments.ts'
import type { Command, CommandContext } from './command.ts'
import { COMMANDS } from './commands.ts'
import { appCommandHelp, commandHelp, overview } from './help.ts'
import { nearest } from './nearest.ts'
import type { AppCommand, CliOptions, WithBackend } from './options.ts'
import { localTarget, resolveTarget, TARGET_FLAGS, type Target } from './target.ts'
import { EXIT_USAGE, isUsageError, UsageError } from './usage-error.ts'

/** Flags that every command of ours takes. */
export const COMMON_FLAGS = { ...TARGET_FLAGS, json: 'switch', help: 'switch' } as const

/** Runs one command line and answers its exit code. Nothing is loaded that the command does not need. */
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
  // whatever is being typed is no command line yet
  if (first === '__complete')
    return (await import('./commands/complete.ts')).complete(options, argv.slice(1))
  const app = findAppCommand(options)
  if (app !== undefined) return runAppCommand(app.command, app.rest, options)
  const { flags, rest } = take(tokens(argv), COMMON_FLAGS)
  const [name, ...line] = rest
  if (name === undefined) return writeAndSucceed(terminal, overview(version, commands))
  if (name.kind === 'flag')
    throw new UsageError(`There is no flag --${name.name} before a command.`, 'surehand help')
  if (name.text === 'help') return help(line, options)
  const command = COMMANDS.find((candidate) => candidate.name === name.text)
  if (command === undefined) throw unknownCommand(name.text, options)
  if (flags.has('help') && !(command.name === 'call' && line.length > 0))
    return writeAndSucceed(terminal, commandHelp(command))
  return runCommand(command, { flags, rest: line }, options)
}

async function runCommand(
  command: Command,
  { flags, rest }: Taken,
  options: CliOptions,
): Promise<number> {
  const place = () => resolveTarget(flags, options.env)
  const context: CommandContext = {
    options,
    command,
    terminal: options.terminal,
    line: rest,
    format: flags.has('json') ? 'json' : 'words',
    place,
    given: localTarget(flags),
    withBackend: createWithBackend(place, options),
  }
  // `call TOOL --help` is about the tool
  const run = flags.has('help')
    ? (await import('./commands/show.ts')).showCalled
    : await command.load()
  return run(context)
}

function createWithBackend(place: () => Target, options: CliOptions): WithBackend {
  return async (work, tool) => {
    const backend = await (await import('./open-backend.ts')).openBackend(place(), options, tool)
    try {
      return await work(backend)
    } finally {
      await backend.close()
    }
  }
}

type Found = { readonly command: AppCommand; readonly rest: readonly string[] }

/** The app's own commands get their words as they were typed. */
function findAppCommand({ argv, commands }: CliOptions): Found | undefined {
  const { rest } = take(tokens(argv), TARGET_FLAGS)
  const [name] = rest
  const command =
    name?.kind === 'word' ? commands.find((candidate) => candidate.name === name.text) : undefined
  return command === undefined ? undefined : { command, rest: rest.slice(1).map(asTyped) }
}

function asTyped(token: Token): string {
  if (token.kind === 'word') return token.text
  return token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`
}

function runAppCommand(
  command: AppCommand,
  rest: readonly string[],
  options: CliOptions,
): Promise<number> | number {
  if (rest.includes('--help')) return writeAndSucceed(options.terminal, appCommandHelp(command))
  const place = resolveTarget(take(tokens(options.argv), TARGET_FLAGS).flags, options.env)
  if ('use' in command)
    return command.use(
      rest,
      options.terminal,
      createWithBackend(() => place, options),
    )
  return command.run(rest, options.terminal, place.kind === 'local' ? place.at : {})
}

function help(line: readonly Token[], options: CliOptions): number {
  const [name] = line
  if (name === undefined)
    return writeAndSucceed(options.terminal, overview(options.version, options.commands))
  const text = name.kind === 'word' ? name.text : `--${name.name}`
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
  if (isUsageError(thrown)) {
    terminal.stderr.write(`${safeText(thrown.message)}\nTry:\n  ${safeText(thrown.suggestion)}\n`)
    return EXIT_USAGE
  }
  if (isFromParseArgs(thrown)) {
    terminal.stderr.write(
      `${safeText(thrown.message)}\nTry:\n  surehand help ${safeText(argv[0])}\n`,
    )
    return EXIT_USAGE
  }
  const { toEnvelopeError, printError, printJson } = await import('./print.ts')
  const { exitCodeOf } = await import('./exit-code.ts')
  const error = isConfigError(thrown)
    ? { code: 'TOOL_CONFIGURATION_ERROR', message: thrown.message }
    : toEnvelopeError(thrown)
  if (tokens(argv).some((token) => token.kind === 'flag' && token.name === 'json'))
    printJson(terminal, { error })
  else printError(terminal, error, {})
  return exitCodeOf({ error })
}

// the app's commands read their flags with node:util
function isFromParseArgs(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS_')
  )
}

// by name: the class is the app's, and its message says which setting and how to mend it
function isConfigError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'ConfigError'
}
