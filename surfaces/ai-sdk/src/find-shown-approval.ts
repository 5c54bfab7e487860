import type { ShownRequest } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Surface } from './options.ts'

/**
 * Finds the approval request that messages refer to, if it belongs to this caller and is unchanged
 * since it was shown. It creates none.
 */
export async function findShownApproval(
  shown: ShownRequest | undefined,
  { runtime, caller }: Surface,
): Promise<ShownRequest | undefined> {
  if (shown === undefined) return undefined
  try {
    const { id, digest, principal } = await runtime.approvals.getFor(caller, shown.id)
    return digest === shown.digest && principal === caller.principal ? { id, digest } : undefined
  } catch (thrown) {
    if (toToolError(thrown).code === 'TOOL_RESOURCE_NOT_FOUND') return undefined
    throw thrown
  }
}
