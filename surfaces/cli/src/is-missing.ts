import { isToolError } from '@surehand/core'

/** Was it that nobody finds it? A file of its own: loaded when it is needed, it brings this much of core and no more. */
export function isMissing(thrown: unknown): boolean {
  return isToolError(thrown) && thrown.code === 'TOOL_RESOURCE_NOT_FOUND'
}
