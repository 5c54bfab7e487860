import { interrupt } from '@langchain/langgraph'
import { type Asked, askedIn } from './asked.ts'
import { type GraphTask, lastInterrupt } from './graph-task.ts'

/** What came back for what was asked last. */
export type Heard = {
  readonly asked: Asked
  readonly said: unknown
  /** One answer for several open questions is nobody's: LangGraph hands it to each of them. */
  readonly isMeant: boolean
}

const heardIn = new WeakMap<object, Promise<Heard | undefined>>()

/**
 * What a person said to what this task asked; undefined where nobody has said anything yet. Read once for all tool calls of a task:
 * answers are handed out in order, and a second call would get the answer of the first.
 */
export function heard(task: GraphTask): Promise<Heard | undefined> {
  const known = heardIn.get(task.execution)
  if (known !== undefined) return known
  const fresh = hear(task)
  heardIn.set(task.execution, fresh)
  return fresh
}

async function hear(task: GraphTask): Promise<Heard | undefined> {
  if (task.isUnanswered) return undefined
  const last = await lastInterrupt(task)
  const asked = askedIn(last?.shown)
  if (last === undefined || asked === undefined) return undefined
  let said: unknown
  // earlier answers come first, and were acted on when they came; where the last one is missing, the same is asked again
  for (let round = 0; round <= asked.ordinal; round++) said = interrupt(last.shown)
  return { asked, said, isMeant: last.isAlone || task.isAddressed }
}
