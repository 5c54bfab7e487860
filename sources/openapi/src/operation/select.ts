import { own } from '../document/record.ts'
import { isRead, NOTHING_SAID, type SidecarEntry } from './contract-plan.ts'
import { type Listed, operationIdOf } from './list-operations.ts'

/** Which operations become tools: named one by one, all, or only reads. */
export type Allow = readonly string[] | 'all' | 'reads'

export type Selection = {
  readonly allow: Allow | undefined
  readonly sidecar: Readonly<Record<string, SidecarEntry>> | undefined
  /** Does any operation say `x-agent: { action: true }`? Then those are meant, and no others. */
  readonly isMarked: boolean
}

/** Why an operation is not taken; undefined takes it. */
export function reasonToLeave(
  listed: Listed,
  entry: SidecarEntry,
  { allow, isMarked }: Selection,
): string | undefined {
  if (entry.allow === true) return undefined
  if (entry.allow === false) return 'the importer left it out'
  if (allow === 'all') return undefined
  if (Array.isArray(allow))
    return namesOf(listed).some((name) => allow.includes(name))
      ? undefined
      : 'it is not on the importer’s list'
  if (allow === undefined && isMarked)
    return isActionOf(listed)
      ? undefined
      : 'the document marks others for agents (x-agent), not this one'
  return isRead(listed.method)
    ? undefined
    : 'it writes, and writes are left out until the importer allows them'
}

/** The names an importer may call an operation by. */
export function namesOf({ key, operation }: Listed): readonly string[] {
  const id = operationIdOf(operation)
  return id === undefined ? [key] : [id, key]
}

export function isActionOf({ operation }: Listed): boolean {
  return own(own(operation, 'x-agent'), 'action') === true
}

/** What the importer says of an operation, by whichever of its names. */
export function entryOf(listed: Listed, sidecar: Selection['sidecar']): SidecarEntry {
  if (sidecar === undefined) return NOTHING_SAID
  const name = namesOf(listed).find((one) => Object.hasOwn(sidecar, one))
  return name === undefined ? NOTHING_SAID : (sidecar[name] ?? NOTHING_SAID)
}
