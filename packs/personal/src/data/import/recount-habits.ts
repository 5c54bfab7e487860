import type { Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'

// a run that was kept does not know of the days that came in: without one it is counted anew when it is next asked for
const RECOUNT = `update pm_habits set run_length = null, started_on = case when started_on > ? then ? else started_on end
  where tenant = ? and id = ?`

/** After days of habits were brought in: their streaks, and since when they are kept. */
export async function recountHabits(
  tx: Tx,
  tenant: string,
  records: readonly Readonly<Record<string, SqlValue>>[],
): Promise<void> {
  const byHabit = Map.groupBy(records, ({ habit_id }) => String(habit_id))
  for (const [id, days] of byHabit) {
    const first = days.map(({ day }) => String(day)).toSorted()[0] ?? ''
    await tx.run(RECOUNT, first, first, tenant, id)
  }
}
