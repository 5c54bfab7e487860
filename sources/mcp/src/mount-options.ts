import type { FetchLike } from '@modelcontextprotocol/client'
import type { Clock } from '@surehand/core/ports'
import type { Hide } from './hide.ts'
import type { MountLimits } from './limits.ts'
import type { ForeignListing } from './listing.ts'
import type { ServerAddress } from './transport.ts'

export type MountOptions = {
  /** Stands before every tool's name. */
  readonly name: string
  readonly transport: ServerAddress
  /** Goes through egress and adds credentials; a server of its own process needs none. */
  readonly fetch?: FetchLike
  /** Of which a child process sees the variables it is handed down by name. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** The listing that the tools were made of, where that was before this mount. */
  readonly listing?: ForeignListing
  /** Called, and waited for, before any call reaches a tool that has changed; while it fails, none does. */
  readonly onChange?: (listing: ForeignListing) => void | Promise<void>
  /** Takes secrets out of texts that this mount does not know, such as the credentials that `fetch` adds. */
  readonly hide?: Hide
  readonly limits?: Partial<MountLimits>
}
