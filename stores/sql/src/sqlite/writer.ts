import { promises as timers } from 'node:timers'
import type { LocalDone } from '@surehand/core/ports'
import type { LocalRequest } from '../local-effect.ts'
import { Gathering } from './gathering.ts'
import type { Group, GroupAnswer, WriterData } from './group.ts'
import { startHere } from './start-here.ts'
import type { WriterThread } from './start-thread.ts'
import { LOOK_MS } from './watchdog.ts'

/** The one who writes, as the main side sees it. */
export type Writer = {
  readonly step: (
    name: string,
    args: unknown,
    synchronous: Group['synchronous'],
  ) => Promise<unknown>
  /** Committed within the time, or not at all. */
  readonly local: (request: LocalRequest, timeoutMs: number) => Promise<LocalDone>
  /** Finishes what is under way; what comes after is refused. */
  readonly close: () => Promise<void>
}

export type WriterOptions = Omit<WriterData, 'gates'> & {
  readonly where: 'thread' | 'here'
  readonly onEnqueued: () => void
}

// between the end of a thread and the next: at first, if it had done nothing, and at most if it does not even start
const PAUSE_MS = { first: 100, fruitless: 1_000, most: 30_000 }

/** Starts the writer; resolves when it knows all that it may be asked for. */
export async function startWriter({ where, onEnqueued, ...data }: WriterOptions): Promise<Writer> {
  const gathering = new Gathering()
  const closing = new AbortController()
  let hasAnswered = false
  let reviving: Promise<void> | undefined

  async function start(): Promise<WriterThread> {
    if (where === 'here') return startHere(data, { onAnswer })
    // a command that ends soon need not load what starts threads
    const { startThread } = await import('./start-thread.ts')
    return startThread(data, { onAnswer, onGone: lose })
  }

  function onAnswer(answer: GroupAnswer): void {
    hasAnswered = true
    if (gathering.settle(answer)) onEnqueued()
  }

  function lose(error: Error): void {
    gathering.lose(error)
    reviving = revive()
  }

  /** For as long as it takes: a call that kills its thread must not close the store to all others. */
  async function revive(): Promise<void> {
    let pauseMs = hasAnswered ? PAUSE_MS.first : PAUSE_MS.fruitless
    hasAnswered = false
    for (;;) {
      await timers.setTimeout(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      const broken = await start().then((thread) => gathering.use(thread, 'carefully'), toError)
      if (broken === undefined) return
      gathering.drop(broken)
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)
    }
  }

  gathering.use(await start())
  const watching = setInterval(() => {
    const stuck = gathering.endIfStuck()
    if (stuck !== undefined) lose(stuck)
  }, LOOK_MS).unref()

  return {
    step: (name, args, synchronous) => gathering.add({ kind: 'step', name, args }, synchronous),
    // erased: the writer's thread answers with what localEffect gave
    local: (request, timeoutMs) =>
      gathering.addWithin(timeoutMs, { kind: 'local', request }) as Promise<LocalDone>,
    async close() {
      gathering.refuse()
      closing.abort()
      // one that is being started would outlive us
      await reviving
      await gathering.close()
      clearInterval(watching)
    },
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
