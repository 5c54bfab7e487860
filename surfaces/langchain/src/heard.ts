import { interrupt } from '@langchain/langgraph'
import { isRecord } from '@surehand/core/internal'
import { type Asked, askedIn } from './asked.ts'
import { type Execution, type GraphTask, type Interrupted, lastInterrupt } from './graph-task.ts'

/** What came back for what was asked last. */
export type Heard = {
  readonly asked: Asked
  readonly said: unknown
  /** One answer for several open questions is nobody's: LangGraph hands it to each of them. */
  readonly isMeant: boolean
}

/** What stands in a checkpoint instead of an answer that was acted on: whose it was, and not what it said. */
const TAKEN = { surehand: 'heard' } as const

const lastIn = new WeakMap<Execution, Promise<Interrupted | undefined>>()
const heardIn = new WeakMap<Execution, Heard>()

/**
 * What a person said to what this task asked; undefined where nobody has said anything yet. LangGraph hands answers out by the order of
 * interrupts alone: ours are taken when their turn comes, and marked, so that the next execution takes them again and whoever
 * interrupts after us does not hear an approval that was ours.
 */
export async function readDecisions(task: GraphTask): Promise<Heard | undefined> {
  if (task.isUnanswered && !lastIn.has(task.execution)) return undefined
  const last = await lastOf(task)
  // nothing is waited for from here on: two calls of one task must not take the same answer
  takeAgain(task.execution)
  const asked = askedIn(last?.shown)
  if (last === undefined || asked === undefined) return undefined
  const known = heardIn.get(task.execution)
  if (known !== undefined || nextOf(task.execution) !== asked.ordinal) return known
  const fresh = {
    asked,
    said: take(last.shown, task.execution),
    isMeant: last.isAlone || task.isAddressed,
  }
  heardIn.set(task.execution, fresh)
  return fresh
}

function lastOf(task: GraphTask): Promise<Interrupted | undefined> {
  const known = lastIn.get(task.execution)
  if (known !== undefined) return known
  const fresh = lastInterrupt(task)
  lastIn.set(task.execution, fresh)
  return fresh
}

function nextOf({ interruptCounter }: Execution): number {
  return interruptCounter + 1
}

/** What was heard in earlier executions was acted on when it came. */
function takeAgain(execution: Execution): void {
  while (isTaken(execution.resume[nextOf(execution)])) interrupt(TAKEN)
}

/** The next answer; where it is missing, this throws, and the same is asked again. */
function take(shown: unknown, execution: Execution): unknown {
  const index = nextOf(execution)
  const isThere = index < execution.resume.length
  const addressed = execution.resume[index]
  // marked before it is taken: LangGraph keeps a copy of what it hands out
  if (isThere) execution.resume[index] = TAKEN
  const said: unknown = interrupt(shown)
  execution.resume[index] = TAKEN
  return isThere ? addressed : said
}

function isTaken(value: unknown): boolean {
  return isRecord(value) && value.surehand === TAKEN.surehand
}
