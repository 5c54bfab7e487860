import type { Caller, Runtime } from '@surehand/core'
import type { AuditFilter, AuditRecord, Maybe } from '@surehand/core/ports'
import type { Backend } from './backend.ts'
import type { Fetch } from './providers/server.ts'
import type { Terminal } from './terminal.ts'

/** A runtime in this process, with who uses it. */
export type LocalApp = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly audit: {
    readonly list: (filter: AuditFilter) => Maybe<readonly AuditRecord[]>
    /** JSON lines, without their line ends. */
    readonly export?: (tenant: string) => AsyncIterable<string>
    readonly verify?: (tenant: string) => Promise<unknown>
  }
  /** Where questions are decided in a browser, if a server stands before the same data. */
  readonly approvalUrl?: (approvalId: string) => string
  /** Where what runs ask is answered in a browser. */
  readonly questionUrl?: (questionId: string) => string
  readonly close: () => Promise<void>
}

/** Which local app, and as whom; what is missing the app decides. */
export type LocalTarget = {
  readonly config?: string
  readonly data?: string
  readonly principal?: string
  readonly tenant?: string
}

/**
 * Opens the app that the command line names, here or behind a server, and closes it again when the work is done.
 * Where the work is about one tool, its name spares loading the others.
 */
export type WithBackend = <T>(work: (backend: Backend) => Promise<T>, tool?: string) => Promise<T>

/** A command of the app's own: serve, mcp, doctor …, about an app on this machine; or one that uses tools, wherever they are. */
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
  /** What stands behind the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  readonly version: string
  /** With a tool's name: an app in which that tool can be called, and perhaps no other. */
  readonly openLocal: (at: LocalTarget, tool?: string) => Promise<LocalApp>
  readonly commands: readonly AppCommand[]
  /** Verifies an exported audit without any app. */
  readonly verifyExport?: (file: string) => Promise<unknown>
  /** The way to remote servers; without it, Node's own. */
  readonly fetch?: Fetch
}
