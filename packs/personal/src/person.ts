import { type Caller, type Execution, ToolError } from '@surehand/core'

/** The owner of personal data. */
export type Person = { readonly tenant: string; readonly owner: string }

export function personOf({ tenant, principal }: Caller): Person {
  return { tenant, owner: principal }
}

/** The part of a call that the arguments of a transaction are built from. */
export type WriteExecution<I> = Pick<
  Execution<I, never>,
  'input' | 'caller' | 'scopeOf' | 'now' | 'newId'
>

/**
 * The caller as the owner of the rows that the call may touch. A capability with another scope than
 * "self" is refused: the statements read and write one person's rows only, and would not honour it.
 */
export function requireSelfScope(
  { caller, scopeOf }: Pick<Execution<unknown, never>, 'caller' | 'scopeOf'>,
  ...capabilities: readonly string[]
): Person {
  for (const capability of capabilities) {
    const scope = scopeOf(capability)
    if (scope !== 'self')
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${capability} has the scope "${scope}", but this tool reads and writes the caller's own data only. Declare the scope "self_only" in its contract.`,
      )
  }
  return personOf(caller)
}
