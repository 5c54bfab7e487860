import { own, ownList, ownText } from '../document/record.ts'
import { isRead, NO_ENTRY, type SidecarEntry } from './contract-plan.ts'
import { type Listed, operationIdOf } from './list-operations.ts'

/**
 * Which operations become tools: all, only reads, or a list. An entry of the list is an operationId,
 * a `METHOD /path`, or one of `tag:issues`, `prefix:repos`, `method:get` and `search:pull request`.
 */
export type Allow = readonly string[] | 'all' | 'reads'

export type Selection = {
  readonly allow: Allow | undefined
  readonly sidecar: Readonly<Record<string, SidecarEntry>> | undefined
  /** Whether any operation has `x-agent: { action: true }`. Then only those become tools. */
  readonly isMarked: boolean
}

/** Why an operation does not become a tool; undefined if it does. */
export function reasonToLeaveOut(
  listed: Listed,
  entry: SidecarEntry,
  { allow, isMarked }: Selection,
): string | undefined {
  if (entry.allow === true) return undefined
  if (entry.allow === false) return 'the importer left it out'
  if (allow === 'all') return undefined
  if (Array.isArray(allow))
    return allow.some((entry) => matchesEntry(listed, entry))
      ? undefined
      : 'it is not on the importer’s list'
  if (allow === undefined && isMarked)
    return isMarkedAsAction(listed)
      ? undefined
      : 'the document marks others for agents (x-agent), not this one'
  return isRead(listed.method)
    ? undefined
    : 'it writes, and writes are left out until the importer allows them'
}

/** Whether an entry of an allow-list means this operation. */
export function matchesEntry(listed: Listed, entry: string): boolean {
  if (namesOf(listed).includes(entry)) return true
  const [, kind, value = ''] = /^(tag|prefix|method|search):(.+)$/s.exec(entry) ?? []
  const wanted = value.trim().toLowerCase()
  switch (kind) {
    case 'tag':
      return ownList(listed.operation, 'tags').some((tag) => String(tag).toLowerCase() === wanted)
    case 'prefix':
      return namesOf(listed).some((name) => name.toLowerCase().startsWith(wanted))
    case 'method':
      return listed.method.toLowerCase() === wanted
    case 'search': {
      const text =
        `${namesOf(listed).join(' ')} ${ownText(listed.operation, 'summary') ?? ''}`.toLowerCase()
      return wanted.split(/\s+/).every((word) => text.includes(word))
    }
    default:
      return false
  }
}

/** The names that allow-lists and sidecars may use for an operation. */
export function namesOf({ key, operation }: Listed): readonly string[] {
  const id = operationIdOf(operation)
  return id === undefined ? [key] : [id, key]
}

export function isMarkedAsAction({ operation }: Listed): boolean {
  return own(own(operation, 'x-agent'), 'action') === true
}

/** The importer's entry for an operation, under any of its names. */
export function findSidecarEntry(listed: Listed, sidecar: Selection['sidecar']): SidecarEntry {
  if (sidecar === undefined) return NO_ENTRY
  const name = namesOf(listed).find((one) => Object.hasOwn(sidecar, one))
  return name === undefined ? NO_ENTRY : (sidecar[name] ?? NO_ENTRY)
}
