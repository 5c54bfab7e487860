import { ToolError } from '@surehand/core'
import type { Backend } from './backend.ts'
import { nearest } from './nearest.ts'

/** No such tool for this caller, with the name that was probably meant. */
export async function toolNotFound(name: string, backend: Backend): Promise<ToolError> {
  const near = nearest(
    name,
    (await backend.tools()).map(({ definition }) => definition.id),
  )
  return new ToolError('TOOL_NOT_FOUND', `There is no tool "${name}" for you.`, {
    suggestions: near === undefined ? [] : [`Did you mean ${near}?`],
  })
}
