import type { SqlValue } from '@surehand/core/internal'
import type { LocalRequest } from '../local-effect.ts'
import type { Group, Item } from './group.ts'

/** The values of one column: one where all calls of the group have the same, else one a call. */
type Column = SqlValue | readonly SqlValue[]

/**
 * A group of local effects by columns, as it crosses into the writer's thread. Calls of one group share most of their values (the tool,
 * its version, the caller), and lists of texts are read several times faster there than an object a call.
 */
export type PackedGroup = Omit<Group, 'items'> & {
  readonly given: readonly Column[]
  readonly record: readonly Column[]
  readonly args: readonly unknown[]
  /** What is not a column. Calls that have the same share one. */
  readonly rests: readonly Rest[]
}

type Rest = Pick<LocalRequest, 'name' | 'secretKeys'> & {
  readonly claim: Omit<LocalRequest['claim'], 'given'>
}
type Local = Extract<Item, { kind: 'local' }>

/** The group by columns; undefined when it holds anything else than local effects. */
export function packGroup({ items, ...group }: Group): PackedGroup | undefined {
  if (!items.every(isLocal)) return undefined
  const requests = items.map(({ request }) => request)
  return {
    ...group,
    given: columnsOf(requests.map(({ claim }) => claim.given)),
    record: columnsOf(requests.map(({ record }) => record)),
    args: requests.map(({ args }) => args),
    rests: restsOf(requests),
  }
}

export function unpackGroup({ given, record, args, rests, ...group }: PackedGroup): Group {
  const items = args.map((own, place): Item => {
    // erased: there is a rest for every place
    const { claim, name, secretKeys } = rests[place] as Rest
    const request = {
      claim: { ...claim, given: rowAt(given, place) },
      name,
      args: own,
      record: rowAt(record, place),
      secretKeys,
    }
    // erased: what was packed as a record comes out as one
    return { kind: 'local', request: request as LocalRequest }
  })
  return { ...group, items }
}

function isLocal(item: Item): item is Local {
  return item.kind === 'local'
}

function columnsOf(rows: readonly (readonly SqlValue[])[]): readonly Column[] {
  const [first = []] = rows
  return first.map((value, column) => {
    const isShared = rows.every((row) => row[column] === value)
    return isShared ? value : rows.map((row) => row[column] ?? null)
  })
}

function rowAt(columns: readonly Column[], place: number): SqlValue[] {
  return columns.map((column) => (isList(column) ? (column[place] ?? null) : column))
}

// a test of its own: Array.isArray does not tell a readonly list from a value
function isList(column: Column): column is readonly SqlValue[] {
  return Array.isArray(column)
}

// the same object crosses once, however often it stands in a list
function restsOf(requests: readonly LocalRequest[]): readonly Rest[] {
  let last: Rest | undefined
  return requests.map((request) => {
    if (last !== undefined && isSameRest(last, request)) return last
    const { given: _, ...claim } = request.claim
    last = { claim, name: request.name, secretKeys: request.secretKeys }
    return last
  })
}

function isSameRest({ claim, name, secretKeys }: Rest, other: LocalRequest): boolean {
  return (
    name === other.name &&
    claim.leaseMs === other.claim.leaseMs &&
    claim.resumes === other.claim.resumes &&
    claim.guardMs === other.claim.guardMs &&
    claim.adminVersion === other.claim.adminVersion &&
    claim.atMost === other.claim.atMost &&
    secretKeys.length === 0 &&
    other.secretKeys.length === 0
  )
}
