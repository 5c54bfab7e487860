import { interrupt } from '@langchain/langgraph'
import { isRecord } from '@surehand/core/internal'
import { type Execution, type GraphTask, type LastInterrupt, lastInterrupt } from './graph-task.ts'
import { type InterruptReference, readInterruptReference } from './interrupt-reference.ts'

/** The last interrupt of a task, with the value that the graph was resumed with. */
export type ResumedInterrupt = {
  readonly reference: InterruptReference
  readonly value: unknown
  /**
   * False if one value was given for several open interrupts: LangGraph passes it to each of them,
   * so that it counts for none.
   */
  readonly isAddressed: boolean
}

/**
 * Replaces a resume value in the checkpoint once it was used: it says that the value was ours,
 * without its content.
 */
const CONSUMED = { surehand: 'heard' } as const

const lastInterrupts = new WeakMap<Execution, Promise<LastInterrupt | undefined>>()
const resumedInterrupts = new WeakMap<Execution, ResumedInterrupt>()

/**
 * Reads the value that this task was resumed with; undefined if there is none yet. LangGraph
 * assigns resume values by the order of interrupts alone: ours are consumed in their turn and
 * marked, so that the next execution skips them and other code that interrupts after us does not
 * receive an approval that was meant for us.
 */
export async function readResumedInterrupt(task: GraphTask): Promise<ResumedInterrupt | undefined> {
  if (task.isUnanswered && !lastInterrupts.has(task.execution)) return undefined
  const last = await readLastInterrupt(task)
  // No await from here on: two calls of one task must not consume the same value.
  skipConsumed(task.execution)
  const reference = readInterruptReference(last?.shown)
  if (last === undefined || reference === undefined) return undefined
  const known = resumedInterrupts.get(task.execution)
  if (known !== undefined || nextIndex(task.execution) !== reference.ordinal) return known
  const fresh = {
    reference,
    value: consumeResumeValue(last.shown, task.execution),
    isAddressed: last.isAlone || task.isAddressed,
  }
  resumedInterrupts.set(task.execution, fresh)
  return fresh
}

function readLastInterrupt(task: GraphTask): Promise<LastInterrupt | undefined> {
  const known = lastInterrupts.get(task.execution)
  if (known !== undefined) return known
  const fresh = lastInterrupt(task)
  lastInterrupts.set(task.execution, fresh)
  return fresh
}

function nextIndex({ interruptCounter }: Execution): number {
  return interruptCounter + 1
}

/** Skips the values that earlier executions of the task have already used. */
function skipConsumed(execution: Execution): void {
  while (isConsumed(execution.resume[nextIndex(execution)])) interrupt(CONSUMED)
}

/**
 * Consumes the next value. If there is none, `interrupt` throws, and the same request is shown
 * again.
 */
function consumeResumeValue(shown: unknown, execution: Execution): unknown {
  const index = nextIndex(execution)
  const isThere = index < execution.resume.length
  const addressed = execution.resume[index]
  // Marked before it is read, because LangGraph stores a copy of the list when it returns a value.
  if (isThere) execution.resume[index] = CONSUMED
  const resumed: unknown = interrupt(shown)
  execution.resume[index] = CONSUMED
  return isThere ? addressed : resumed
}

function isConsumed(value: unknown): boolean {
  return isRecord(value) && value.surehand === CONSUMED.surehand
}
