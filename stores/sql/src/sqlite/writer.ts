import type { LocalDone } from '@surehand/core'
import type { LocalRequest } from '../local-effect.ts'
import { makeCommitGate } from './commit-gate.ts'
import { Gathering } from './gathering.ts'
import type { Group, GroupAnswer, WriterData } from './group.ts'
import { startThread } from './start-thread.ts'

/** The one thread that writes, as the main side sees it. */
export type Writer = {
  readonly step: (name: string, args: unknown, synchronous: Group['synchronous']) => Promise<unknown>
  /** Committed within the time, or not at all. */
  readonly local: (request: LocalRequest, timeoutMs: number) => Promise<LocalDone>
  /** Finishes what is under way; what comes after is refused. */
  readonly close: () => Promise<void>
}

export type WriterOptions = Omit<WriterData, 'gate'> & { readonly onEnqueued: () => void }

/** Starts the thread; resolves when it knows all that it may be asked for. */
export async function startWriter({ onEnqueued, ...data }: WriterOptions): Promise<Writer> {
  const gate = makeCommitGate()
  const gathering = new Gathering(gate)
  let hasAnswered = false

  function start() {
    return startThread({ ...data, gate }, { onAnswer, onGone: (error) => void revive(error) })
  }

  function onAnswer(answer: GroupAnswer): void {
    hasAnswered = true
    if (gathering.settle(answer)) onEnqueued()
  }

  async function revive(error: Error): Promise<void> {
    gathering.lose(error)
    // one that ended before it did anything would only end again
    if (!hasAnswered) return gathering.refuse(error)
    hasAnswered = false
    await start().then(
      (thread) => gathering.use(thread),
      (broken: Error) => gathering.refuse(broken),
    )
  }

  gathering.use(await start())
  return {
    step: (name, args, synchronous) => gathering.add({ kind: 'step', name, args }, synchronous),
    // erased: the writer's thread answers with what localEffect gave
    local: (request, timeoutMs) => gathering.addWithin(timeoutMs, { kind: 'local', request }) as Promise<LocalDone>,
    close: () => gathering.close(),
  }
}
