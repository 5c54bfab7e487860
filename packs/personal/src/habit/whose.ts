import { type Caller, ToolError } from '@surehand/core'
import { type Scope, scopeCovers } from '@surehand/core/internal'
import { type Person, personOf } from '../person.ts'

type Asked = { readonly caller: Caller; readonly scopeOf: (capability: string) => Scope }

/** Whose habits a call may touch: its own caller's. A wider right opens no more, for habits are nobody else's business. */
export function whose({ caller, scopeOf }: Asked, capability: string): Person {
  const scope = scopeOf(capability)
  if (!scopeCovers(scope, 'self'))
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `${capability} over "${scope}" does not open anybody's own habits.`,
    )
  return personOf(caller)
}
