import { ToolError } from '@surehand/core'
import type { Backend } from './backend.ts'
import { nearest } from './nearest.ts'

/** The error for a tool this caller does not have, with the most similar name. */
export async function toolNotFound(name: string, backend: Backend): Promise<ToolError> {
  const near = nearest(
    name,
    (await backend.tools()).map(({ definition }) => definition.id),
  )
  return new ToolError('TOOL_NOT_FOUND', `There is no tool "${name}" that you may use.`, {
    suggestions: near === undefined ? [] : [`Did you mean ${near}?`],
  })
}
