import type { Tool } from '@surehand/core'
import { modelInput } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'

/**
 * The input as it is shown to the person who decides, without the fields that no model writes: the
 * key and the caller's own fields.
 */
export function shownArgs(
  { shown }: Pick<Approval, 'shown'>,
  tool: Tool | undefined,
): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(shown)
  const input = isRecord(parsed) ? parsed.input : undefined
  const args = tool === undefined ? input : modelInput(tool, input)
  return isRecord(args) ? args : {}
}
