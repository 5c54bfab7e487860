import { isToolError, ToolError } from '@surehand/core'
import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'

/** What a client may hear of anything thrown: a bug's own words may hold somebody's secret. */
export function tellable(thrown: unknown, visit: Visit, surface: Surface): ToolError {
  if (isToolError(thrown)) return thrown
  surface.onTrouble(thrown, visit.requestId())
  return new ToolError('TOOL_INTERNAL_ERROR', 'Something unexpected broke on this side.', {
    cause: thrown,
  })
}
