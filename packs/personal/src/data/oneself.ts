import { type Caller, type Execution, ToolError } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import { type Person, personOf } from '../person.ts'

type Acting = { readonly caller: Caller; readonly scopeOf: (capability: string) => Scope }

/** What a transaction's arguments are made of. */
export type Given<I> = Pick<Execution<I, never>, 'input' | 'caller' | 'scopeOf' | 'now' | 'newId'>

/** Whose rows a call may touch: the caller's own. A right that reaches further opens no more here; one that reaches elsewhere opens nothing. */
export function oneself({ caller, scopeOf }: Acting, capability: string): Person {
  const scope = scopeOf(capability)
  if (scope !== 'self')
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${capability} reaches over "${scope}"; these rows are kept for oneself alone.`,
    )
  return personOf(caller)
}
