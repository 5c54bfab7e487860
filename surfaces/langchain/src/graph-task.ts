import { type BaseCheckpointSaver, type CheckpointTuple, INTERRUPT } from '@langchain/langgraph'
import { isRecord } from '@surehand/core/internal'
import type { ModelCall } from './model-call.ts'

/**
 * The task of a graph that a tool runs in, read from the configuration keys that LangGraph sets for
 * its own `interrupt`. They are not public API: only this file uses them, and where they are
 * missing no one is asked through the graph.
 */
export type GraphTask = {
  readonly thread: unknown
  /** `node:task`, outermost first; a task within a subgraph has several entries. */
  readonly path: readonly string[]
  readonly checkpointer: Pick<BaseCheckpointSaver, 'getTuple'>
  /** The current checkpoint of each enclosing graph, by namespace. */
  readonly checkpoints: Readonly<Record<string, unknown>>
  /** Whether the graph was resumed with values by interrupt id. */
  readonly isAddressed: boolean
  /** The same object during one execution of the task. */
  readonly execution: Execution
  /**
   * Whether the task certainly has no resume value yet, so that the checkpoint need not be read.
   * True for most calls.
   */
  readonly isUnanswered: boolean
}

/**
 * LangGraph's counter of the interrupts in one execution of a task, and their resume values in
 * order.
 */
export type Execution = { readonly interruptCounter: number; readonly resume: unknown[] }

/**
 * Undefined outside of a graph, and in a graph without a checkpointer, where `interrupt` does not
 * work.
 */
export function graphTask({ config }: Pick<ModelCall, 'config'>): GraphTask | undefined {
  const given: Readonly<Record<string, unknown>> = config.configurable ?? {}
  const {
    __pregel_checkpointer: checkpointer,
    __pregel_scratchpad: execution,
    checkpoint_ns: namespace,
  } = given
  if (!isSaver(checkpointer) || !isExecution(execution) || typeof namespace !== 'string')
    return undefined
  return {
    thread: given.thread_id,
    path: namespace.split('|'),
    checkpointer,
    checkpoints: isRecord(given.checkpoint_map) ? given.checkpoint_map : {},
    isAddressed: isRecord(given.__pregel_resume_map),
    execution,
    isUnanswered: execution.resume.length === 0 && execution.nullResume === undefined,
  }
}

function isSaver(value: unknown): value is GraphTask['checkpointer'] {
  return isRecord(value) && typeof value.getTuple === 'function'
}

function isExecution(value: unknown): value is Execution & { readonly nullResume?: unknown } {
  return (
    isRecord(value) && Array.isArray(value.resume) && typeof value.interruptCounter === 'number'
  )
}

export type LastInterrupt = {
  /** What this task showed when it was interrupted last. */
  readonly shown: unknown
  /** Whether no other task of the thread is interrupted at the same time. */
  readonly isAlone: boolean
}

/**
 * Reads the last interrupt of this task from the checkpoint; undefined when the task runs for the
 * first time.
 */
export async function lastInterrupt(task: GraphTask): Promise<LastInterrupt | undefined> {
  let isAlone = true
  let shown: unknown
  for (const [depth, segment] of task.path.entries()) {
    const writes = (await checkpointAt(task, depth))?.pendingWrites ?? []
    const own = segment.slice(segment.indexOf(':') + 1)
    const open = writes.filter(([id, channel]) => channel === INTERRUPT && !hasEnded(id, writes))
    if (open.some(([id]) => id !== own)) isAlone = false
    // The innermost segment is the task itself; the enclosing tasks only pass its interrupt on.
    shown = open.find(([id]) => id === own)?.[2]
  }
  return isRecord(shown) ? { shown: shown.value, isAlone } : undefined
}

function checkpointAt(
  { thread, path, checkpointer, checkpoints }: GraphTask,
  depth: number,
): Promise<CheckpointTuple | undefined> {
  const namespace = path.slice(0, depth).join('|')
  const id = checkpoints[namespace]
  return checkpointer.getTuple({
    configurable: {
      thread_id: thread,
      checkpoint_ns: namespace,
      ...(id === undefined ? {} : { checkpoint_id: id }),
    },
  })
}

const WHILE_OPEN: ReadonlySet<string> = new Set([INTERRUPT, '__resume__', '__error__'])

function hasEnded(taskId: string, writes: NonNullable<CheckpointTuple['pendingWrites']>): boolean {
  return writes.some(([id, channel]) => id === taskId && !WHILE_OPEN.has(channel))
}
