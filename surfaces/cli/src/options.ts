import type { Caller, Runtime } from '@surehand/core'
import type { AuditFilter, AuditRecord, Maybe } from '@surehand/core/ports'
import type { Backend } from './backend.ts'
import type { Fetch } from './providers/server.ts'
import type { Terminal } from './terminal.ts'

/** An app in this process, with the caller that uses it. */
export type LocalApp = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly audit: {
    readonly list: (filter: AuditFilter) => Maybe<readonly AuditRecord[]>
    /** JSON lines, without their line ends. */
    readonly export?: (tenant: string) => AsyncIterable<string>
    readonly verify?: (tenant: string) => Promise<unknown>
  }
  /** The page on which an approval request is decided, if a server uses the same data. */
  readonly approvalUrl?: (approvalId: string) => string
  /** The page on which a question of a run is answered. */
  readonly questionUrl?: (questionId: string) => string
  readonly close: () => Promise<void>
}

/** Which data folder, and as whom; the app has defaults for what is missing. */
export type LocalTarget = {
  readonly config?: string
  readonly data?: string
  readonly principal?: string
  readonly tenant?: string
}

/**
 * Opens the backend that the command line names, local or behind a server, and closes it when the
 * work is done. For work that concerns one tool, its name saves loading the others.
 */
export type WithBackend = <T>(work: (backend: Backend) => Promise<T>, tool?: string) => Promise<T>

/**
 * A command of the app: one about a local data folder (serve, mcp, doctor …), or one that calls
 * tools through a backend.
 */
export type AppCommand = {
  readonly name: string
  readonly summary: string
  readonly usage: string
} & (
  | {
      readonly run: (
        args: readonly string[],
        terminal: Terminal,
        at: LocalTarget,
      ) => Promise<number>
    }
  | {
      readonly use: (
        args: readonly string[],
        terminal: Terminal,
        withBackend: WithBackend,
      ) => Promise<number>
    }
)

export type CliOptions = {
  /** The arguments behind the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  readonly version: string
  /** With a tool's name: an app in which at least that tool can be called. */
  readonly openLocal: (at: LocalTarget, tool?: string) => Promise<LocalApp>
  readonly commands: readonly AppCommand[]
  /** Looks for a command that `commands` does not list: one of a pack in the configuration. */
  readonly findCommand?: (name: string, at: LocalTarget) => Promise<AppCommand | undefined>
  /** Verifies an exported audit with the keys and heads of a data folder, without opening an app. */
  readonly verifyExport?: (file: string, at: LocalTarget) => Promise<unknown>
  /** Sends requests to remote servers; default: Node's `fetch`. */
  readonly fetch?: Fetch
}
