import type { CallRow } from '../call/call-row.ts'
import type { Tool } from '../define/tool.ts'
import type { LedgerContext } from './context.ts'

// Once may be chance. A call that takes its process with it twice would do so at every recovery,
// and the calls beside it would suffer.
const MOST_DEATHS = 2
// A run has no effect of its own, so driving it again is safe, and it is in hand for as long as all
// its steps together: where nodes are killed every second, innocent runs have met four deaths
// without a step in progress. The same holds for a call whose provider only calls tools.
const MOST_DEATHS_OF_RUN = 20
// While a step that writes is in progress, the deaths are the step's, whose own row counts them to
// two. This number only ends what no row counts, such as a transaction that ends its process before
// it has claimed anything.
const MOST_DEATHS_IN_STEP = 100

/** Have so many processes died with the call in hand that it must not be tried again? */
export function isPoison({ deaths }: CallRow, tool: Tool): boolean {
  return deaths >= MOST_DEATHS && (deaths >= MOST_DEATHS_OF_RUN || !onlyCallsTools(tool))
}

/**
 * The same for a run, whose deaths are counted from its last journaled answer. A step that has begun
 * stays in the journal, so without one all of these processes died in the run's own code.
 */
export async function isPoisonRun(
  { tenant, callId, deaths }: CallRow,
  { stores }: LedgerContext,
): Promise<boolean> {
  if (deaths < MOST_DEATHS_OF_RUN || deaths >= MOST_DEATHS_IN_STEP)
    return deaths >= MOST_DEATHS_IN_STEP
  const journal = await stores.runs.journal(tenant, callId)
  return !journal.some(
    ({ what, isWrite, answer }) => what === 'step' && isWrite && answer === undefined,
  )
}

/** Whether the call's only effects are calls of other tools, which have rows of their own. */
export function onlyCallsTools({ ports }: Tool): boolean {
  const effects = [...ports.values()].filter(({ hasEffects }) => hasEffects)
  return effects.length > 0 && effects.every(({ callsTools }) => callsTools)
}
