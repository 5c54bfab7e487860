import type { ShownRequest } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Surface } from './options.ts'

/** The question that messages name, if this caller was really asked it and it was shown as it is. Asks nothing. */
export async function askedQuestion(
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
