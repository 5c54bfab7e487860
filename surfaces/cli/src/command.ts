import type { CommandLine, FlagKinds } from './arguments.ts'
import type { CliOptions, LocalTarget, WithBackend } from './options.ts'
import type { Format } from './print.ts'
import type { Terminal } from './terminal.ts'

/** What a command works with. */
export type CommandContext = {
  readonly options: CliOptions
  readonly command: Command
  readonly terminal: Terminal
  /** The flags that were given, and what follows the command's name. */
  readonly line: CommandLine
  readonly format: Format
  /** What the flags alone say about a local data folder. */
  readonly localTarget: LocalTarget
  readonly withBackend: WithBackend
}

/** One command as help, completion and the dispatcher see it. Its code is loaded when it runs. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly usage: readonly string[]
  readonly notes: readonly string[]
  readonly examples: readonly string[]
  readonly flags: FlagKinds
  /** The words that may follow its name. */
  readonly actions: readonly string[]
  readonly load: () => Promise<(context: CommandContext) => Promise<number>>
}
