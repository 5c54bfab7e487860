import { type BaseCheckpointSaver, type CheckpointTuple, INTERRUPT } from '@langchain/langgraph'
import { isRecord } from '@surehand/core/internal'
import type { ModelCall } from './model-call.ts'

/**
 * The task of a graph that a tool runs in: what LangGraph leaves for its own `interrupt` in the configuration.
 * It has no public names; this file alone knows them, and where they are missing nobody is asked through the graph.
 */
export type GraphTask = {
  readonly thread: unknown
  /** `node:task`, outermost first: a task within a subgraph has several. */
  readonly path: readonly string[]
  readonly checkpointer: Pick<BaseCheckpointSaver, 'getTuple'>
  /** The checkpoint each graph on the way stands on, by its namespace. */
  readonly checkpoints: Readonly<Record<string, unknown>>
  /** Whether whoever resumed said which question is answered. */
  readonly isAddressed: boolean
  /** The same object as long as this execution of the task lasts. */
  readonly execution: Execution
  /** Whether it surely was given no answer yet: most calls ask nobody, and need no look into the checkpoint. */
  readonly isUnanswered: boolean
}

/** Where LangGraph counts the interrupts of one execution of a task, and keeps what they were answered, in order. */
export type Execution = { readonly interruptCounter: number; readonly resume: unknown[] }

/** Undefined outside of a graph, and in one without a checkpointer: there `interrupt` can ask nobody. */
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

export type Interrupted = {
  /** What this task showed when it was interrupted last. */
  readonly shown: unknown
  /** Whether other tasks of the thread wait for an answer as well. */
  readonly isAlone: boolean
}

/** What the checkpoint says this task was interrupted with; undefined where it runs for the first time. */
export async function lastInterrupt(task: GraphTask): Promise<Interrupted | undefined> {
  let isAlone = true
  let shown: unknown
  for (const [depth, segment] of task.path.entries()) {
    const writes = (await checkpointAt(task, depth))?.pendingWrites ?? []
    const own = segment.slice(segment.indexOf(':') + 1)
    const open = writes.filter(([id, channel]) => channel === INTERRUPT && !hasEnded(id, writes))
    if (open.some(([id]) => id !== own)) isAlone = false
    // the innermost is the task itself; those around it only pass the question on
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
