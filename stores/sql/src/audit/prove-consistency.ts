import { ToolError } from '@surehand/core'
import type { Database } from '../database.ts'
import { headFlaw } from './head-check.ts'
import { consistencySpans, isConsistent } from './merkle.ts'
import type { SignedHead } from './signed-head.ts'
import { readHead, rootsOver } from './tree-reads.ts'
import type { Trust } from './verifier.ts'

/** Proves that the records under the second head start with those under the first. */
export type ConsistencyProof = {
  readonly first: SignedHead
  readonly second: SignedHead
  readonly path: readonly string[]
}

/** Proves for two heads, given by their sizes, that the tree has only grown between them. */
export async function proveConsistency(
  database: Pick<Database, 'step'>,
  tenant: string,
  sizes: { readonly from: number; readonly to: number },
): Promise<ConsistencyProof> {
  const [first, second] = [
    await headOver(database, tenant, sizes.from),
    await headOver(database, tenant, sizes.to),
  ]
  return {
    first,
    second,
    path: await rootsOver(database, tenant, consistencySpans(first.size, second.size)),
  }
}

async function headOver(
  database: Pick<Database, 'step'>,
  tenant: string,
  size: number,
): Promise<SignedHead> {
  const head = await database.step(readHead, { tenant, size })
  if (head?.size !== size)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `No head of "${tenant}" is signed over ${size} records.`,
    )
  return head
}

export type ConsistencyVerdict =
  | { readonly kind: 'proven'; readonly tenant: string; readonly from: number; readonly to: number }
  | { readonly kind: 'broken'; readonly what: string }

/**
 * Verifies the proof with nothing but the given keys and anchors: with one old head, every newer
 * one can be checked.
 */
export function verifyConsistency(
  { first, second, path }: ConsistencyProof,
  trust: Trust,
): ConsistencyVerdict {
  const what = headFlaw(first, trust) ?? headFlaw(second, trust)
  if (what !== undefined) return { kind: 'broken', what }
  if (first.tenant !== second.tenant)
    return { kind: 'broken', what: 'The heads are of two tenants.' }
  if (!isConsistent(first, second, path))
    return {
      kind: 'broken',
      what: `What was signed over ${second.size} records does not begin with what was signed over ${first.size}.`,
    }
  return { kind: 'proven', tenant: first.tenant, from: first.size, to: second.size }
}
