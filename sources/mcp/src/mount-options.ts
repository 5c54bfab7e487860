import type { FetchLike } from '@modelcontextprotocol/client'
import type { KeepFile } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import type { Hide } from './hide.ts'
import type { MountLimits } from './limits.ts'
import type { ForeignListing } from './listing.ts'
import type { ServerAddress } from './transport.ts'

export type MountOptions = {
  /** The namespace of the tools. */
  readonly name: string
  readonly transport: ServerAddress
  /** Must go through egress and add credentials. A child process needs none. */
  readonly fetch?: FetchLike
  /** The environment that a child process inherits named variables from. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Further secrets of a child process, read whenever it is started. */
  readonly secrets?: () => Promise<Readonly<Record<string, string>>>
  readonly clock: Clock
  /** The accepted listing that the tools were made from, if that was before this mount. */
  readonly listing?: ForeignListing
  /** Awaited before any call reaches a changed tool. While it fails, no call does. */
  readonly onChange?: (listing: ForeignListing) => void | Promise<void>
  /** Whether a tool, by its name on the server, has done nothing when it says that it failed. */
  readonly failsWithoutEffect?: (tool: string) => boolean
  /** Removes further secrets from texts, such as the credentials that `fetch` adds. */
  readonly hide?: Hide
  /** Stores what is too large for an answer; without it, that is cut. */
  readonly keep?: KeepFile
  readonly limits?: Partial<MountLimits>
}
