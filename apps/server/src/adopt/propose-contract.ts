import type { ListedTool, ToolOverlay } from '@surehand/mounted-mcp'

/** What a tool seems to do: reads are open, writes ask, deletions ask an administrator. */
export type Proposal = 'read' | 'write' | 'delete'

// A list of its own: the words that a search knows may grow, and these decide what runs unasked.
const READS = words(
  'get list read search find fetch show view describe count lookup look check inspect browse ping whoami is has',
)
const DELETES = words(
  'delete remove drop destroy erase purge wipe truncate uninstall revoke kill terminate trash',
)
// One of these anywhere in a name, and it is no read: "find and replace", "get or create".
const CHANGES = words(
  'create update replace write overwrite edit insert modify patch send execute exec upload submit publish move rename',
)

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/**
 * Proposes how a tool is treated, by its name and by what its server says about it. Where they
 * contradict each other, the stricter one counts; a person sees the proposal before it is used.
 */
export function proposeContract({ name, hints }: ListedTool): Proposal {
  const named = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  if (named.some((word) => DELETES.has(word))) return 'delete'
  if (hints.destructiveHint === true && hints.readOnlyHint !== true) return 'delete'
  if (named.some((word) => CHANGES.has(word))) return 'write'
  if (hints.readOnlyHint !== undefined) return hints.readOnlyHint ? 'read' : 'write'
  return named.some((word) => READS.has(word)) ? 'read' : 'write'
}

/** What a mount's overlay says for a proposal; a write needs nothing, it asks by default. */
export function overlayFor(proposal: Proposal): ToolOverlay | undefined {
  switch (proposal) {
    case 'read':
      return { effect: 'read' }
    case 'delete':
      return { approval: 'admin' }
    case 'write':
      return undefined
  }
}
