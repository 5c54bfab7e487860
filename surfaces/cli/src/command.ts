import type { FlagKinds, Token } from './arguments.ts'
import type { CliOptions, LocalTarget, WithBackend } from './options.ts'
import type { Format } from './print.ts'
import type { Target } from './target.ts'
import type { Terminal } from './terminal.ts'

/** What a command is given. */
export type CommandContext = {
  readonly options: CliOptions
  readonly command: Command
  readonly terminal: Terminal
  /** Behind the command's name, without the flags that every command takes. */
  readonly line: readonly Token[]
  readonly format: Format
  readonly place: () => Target
  /** What the flags alone say about a local app. */
  readonly given: LocalTarget
  /** Opens the app, and closes it again when the work is done. */
  readonly withBackend: WithBackend
}

/** One command, as help, completions and the run see it. Its code is loaded when it is used. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly usage: readonly string[]
  readonly notes: readonly string[]
  readonly examples: readonly string[]
  readonly flags: FlagKinds
  /** Words that may follow its name. */
  readonly actions: readonly string[]
  readonly load: () => Promise<(context: CommandContext) => Promise<number>>
}
