import { ToolError, type Tx } from '@surehand/core'
import { nameKey } from '../../name-key.ts'
import type { Person } from '../../person.ts'

const SELECT_ACTIVE =
  "select id, name from pm_habits where tenant = ? and owner = ? and name_key = ? and state = 'active'"

export async function alreadyThere(tx: Tx, person: Person, name: string): Promise<ToolError> {
  const row = await tx.get(SELECT_ACTIVE, person.tenant, person.owner, nameKey(name))
  const known = String(row?.name ?? name)
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `The habit "${known}" already exists: use it, or choose another name.`,
    {
      details: { name, existing_habit: { id: row?.id ?? null, name: known } },
      suggestions: [
        `Record it with habit.record_completion { "habit_name": "${known}" }.`,
        'Or give the new habit another name.',
      ],
    },
  )
}
