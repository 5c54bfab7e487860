import { type Column, rowAt, toColumns } from '../../columns.ts'
import type { LocalRequest } from '../../local-effect.ts'
import type { Batch, WriteRequest } from './batch.ts'

/**
 * A batch with its local effects by columns, as it is sent to the writer's thread. Calls of one
 * batch share most of their values: the tool, its version, the caller.
 */
export type PackedBatch = Omit<Batch, 'writes'> & {
  readonly given: readonly Column[]
  readonly record: readonly Column[]
  readonly args: readonly unknown[]
  /** The parts that are not columns. Calls with equal parts share one object. */
  readonly rests: readonly Rest[]
  /** The steps, each before the local effect of this index. */
  readonly steps: readonly (readonly [before: number, step: Step])[]
}

type Rest = Omit<LocalRequest, 'args' | 'record' | 'claim'> & {
  readonly claim: Omit<LocalRequest['claim'], 'given'>
}
type Step = Extract<WriteRequest, { kind: 'step' }>

/** The batch by columns; undefined when it holds no local effect. */
export function packBatch({ writes, ...batch }: Batch): PackedBatch | undefined {
  const requests: LocalRequest[] = []
  const steps: [number, Step][] = []
  for (const write of writes) {
    if (write.kind === 'local') requests.push(write.request)
    else steps.push([requests.length, write])
  }
  if (requests.length === 0) return undefined
  return {
    ...batch,
    given: toColumns(requests.map(({ claim }) => claim.given)),
    record: toColumns(requests.map(({ record }) => record)),
    args: requests.map(({ args }) => args),
    rests: shareRests(requests),
    steps,
  }
}

export function unpackBatch(packed: PackedBatch): Batch {
  const { given, record, args, rests, steps, ...batch } = packed
  const writes = args.map((own, index): WriteRequest => {
    // erased: there is a rest for every index
    const { claim, ...rest } = rests[index] as Rest
    const request = {
      ...rest,
      claim: { ...claim, given: rowAt(given, index) },
      args: own,
      record: rowAt(record, index),
    }
    // erased: a record that was packed comes out as a record
    return { kind: 'local', request: request as LocalRequest }
  })
  // From the last on, so that the indexes of those before it stay right.
  for (const [before, step] of steps.toReversed()) writes.splice(before, 0, step)
  return { ...batch, writes }
}

// An object that occurs several times in the array is cloned to the other thread once.
function shareRests(requests: readonly LocalRequest[]): readonly Rest[] {
  let last: { readonly request: LocalRequest; readonly rest: Rest } | undefined
  return requests.map((request) => {
    if (last === undefined || !haveSameRest(last.request, request))
      last = { request, rest: toRest(request) }
    return last.rest
  })
}

function toRest({ args: _args, record: _record, claim, ...own }: LocalRequest): Rest {
  const { given: _given, ...rest } = claim
  return { ...own, claim: rest }
}

const APART: ReadonlySet<string> = new Set(['args', 'record', 'claim'])
const APART_IN_CLAIM: ReadonlySet<string> = new Set(['given'])

// Compares all members, so that a member added to requests later is not shared by calls in which it
// differs.
function haveSameRest(left: LocalRequest, right: LocalRequest): boolean {
  return (
    haveSameMembers(left, right, APART) && haveSameMembers(left.claim, right.claim, APART_IN_CLAIM)
  )
}

type Members = Readonly<Record<string, unknown>>

function haveSameMembers(left: Members, right: Members, apart: ReadonlySet<string>): boolean {
  return holdsMembersOf(left, right, apart) && holdsMembersOf(right, left, apart)
}

// A plain loop without arrays of keys, because every write passes through here.
function holdsMembersOf(left: Members, right: Members, apart: ReadonlySet<string>): boolean {
  for (const name in right)
    if (!apart.has(name) && !isSameMember(left[name], right[name])) return false
  return true
}

// Only empty arrays count as equal: comparing others would cost more than sending them.
function isSameMember(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right
  return left.length === 0 && right.length === 0
}
