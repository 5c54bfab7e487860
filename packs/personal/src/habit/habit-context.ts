import { type Caller, type Execution, ToolError } from '@surehand/core'
import { scopeCovers } from '@surehand/core/internal'
import { type LocalTime, readLocalTime } from '../local-time.ts'
import { type Person, personOf } from '../person.ts'
import { bindReader } from '../personal-data.ts'
import type { ReadContext, ReadExecution } from '../read-context.ts'
import type { PlacedDay } from './streak.ts'

export function placedToday({ today, zone }: LocalTime): PlacedDay {
  return { day: today, zone }
}

/** Opens the caller's own habits for reading. */
export async function openHabits(execution: ReadExecution): Promise<ReadContext> {
  const person = requireOwnHabits(execution, 'habit.read')
  const read = bindReader(execution)
  return { person, read, localTime: await readLocalTime(execution.caller, execution.now(), read) }
}

/** What every transaction over habits gets: the owner of the rows, the caller and the time. */
export type HabitWrite = { readonly person: Person; readonly caller: Caller; readonly now: number }

export function buildHabitWrite(
  execution: Pick<ReadExecution, 'caller' | 'scopeOf' | 'now'>,
  capability: string,
): HabitWrite {
  return {
    person: requireOwnHabits(execution, capability),
    caller: execution.caller,
    now: execution.now(),
  }
}

/**
 * The caller as the owner of the habits. A wider scope is accepted and still gives only the
 * caller's own.
 */
function requireOwnHabits(
  { caller, scopeOf }: Pick<Execution<unknown, never>, 'caller' | 'scopeOf'>,
  capability: string,
): Person {
  const scope = scopeOf(capability)
  if (!scopeCovers(scope, 'self'))
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `${capability} with the scope "${scope}" does not cover the caller's own habits.`,
    )
  return personOf(caller)
}
