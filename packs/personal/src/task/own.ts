import { type Caller, ToolError } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import { type Person, personOf } from '../person.ts'

type Acting = { readonly caller: Caller; readonly scopeOf: (capability: string) => Scope }

/** Whose rows a call may touch: the caller's own. A contract that asks for more needs statements that look further. */
export function own({ caller, scopeOf }: Acting, ...capabilities: readonly string[]): Person {
  for (const capability of capabilities) {
    const scope = scopeOf(capability)
    if (scope !== 'self')
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${capability} reaches over ${scope}; these rows are kept for oneself alone.`,
      )
  }
  return personOf(caller)
}
