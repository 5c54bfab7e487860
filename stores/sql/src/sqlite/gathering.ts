import { ToolError } from '@surehand/core/ground'
import { storageError } from '../storage-error.ts'
import { barGate, giveUp, MOST_IN_GROUP, openGate } from './commit-gate.ts'
import type { Answer, Group, GroupAnswer, Item } from './group.ts'
import type { WriterThread } from './start-thread.ts'
import { errorTold } from './told-error.ts'
import { watchdog } from './watchdog.ts'

type Waiting = {
  readonly item: Item
  readonly synchronous: Group['synchronous']
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly isOver: () => boolean
  /** Where it stands in the group under way. */
  place: number | undefined
}

// fewer share one commit whole
const FEW = 8
// how long after a thread's end every call stands alone in its group: what kills its thread then kills only itself
const CAREFUL_MS = 30_000
// a timer of more would fire at once
const LONGEST_MS = 2 ** 31 - 1

/** What is asked for while a group is being committed: the next group. */
export class Gathering {
  #waiting: Waiting[] = []
  #flight: readonly Waiting[] = []
  #items: readonly Item[] = []
  #thread: WriterThread | undefined
  #isStuck: (group: readonly Item[]) => boolean = () => false
  #carefulUntil = 0
  #isScheduled = false
  #refusal: Error | undefined
  #onIdle: (() => void) | undefined

  add(item: Item, synchronous: Group['synchronous']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#push({ item, synchronous, resolve, reject, isOver: () => false, place: undefined })
    })
  }

  /** Rejects at the time, unless its commit is under way: then that is waited for. */
  addWithin(timeoutMs: number, item: Item & { readonly kind: 'local' }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const timer = setTimeout(
        () => {
          if (!this.#giveUp(one)) return
          isOver = true
          reject(timedOut(item.request.name, timeoutMs))
        },
        Math.min(timeoutMs, LONGEST_MS),
      )
      const ending = <T>(end: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          end(value)
        }
      }
      const one: Waiting = {
        item,
        synchronous: 'FULL',
        resolve: ending((value) => (value === GIVEN_UP ? reject(timedOut(item.request.name, timeoutMs)) : resolve(value))),
        reject: ending(reject),
        isOver: () => isOver,
        place: undefined,
      }
      this.#push(one)
    })
  }

  /** The thread that commits from now on. */
  use(thread: WriterThread, manner: 'together' | 'carefully' = 'together'): void {
    this.#thread = thread
    this.#isStuck = watchdog(thread.gate)
    if (manner === 'carefully') this.#carefulUntil = performance.now() + CAREFUL_MS
    this.#schedule()
  }

  /** The group under way was answered; tells whether it left wake-ups. */
  settle(answer: GroupAnswer): boolean {
    const flight = this.#takeFlight()
    // the writer is at the next group while this one is being told
    this.#post()
    if (answer.kind === 'failed') for (const one of flight) one.reject(errorTold(answer.error))
    else for (const [place, one] of flight.entries()) settleOne(one, answer.answers[place])
    this.#afterGroup()
    return answer.kind === 'committed' && answer.hasEnqueued
  }

  /** Ends a thread that stands still, and with it the file's lock; its group hears the error. */
  endIfStuck(): Error | undefined {
    const thread = this.#thread
    if (thread === undefined || this.#flight.length === 0 || !this.#isStuck(this.#items)) return undefined
    // it got on after all
    if (!barGate(thread.gate)) return undefined
    thread.end()
    return storageError('the writer stood still and was ended')
  }

  /** The thread has gone, with the group it was at. */
  lose(error: Error): void {
    const gate = this.#thread?.gate
    this.#thread = undefined
    // when its commit had begun, nobody knows
    const isUndone = gate !== undefined && barGate(gate)
    for (const one of this.#takeFlight()) one.reject(isUndone && one.item.kind === 'local' ? withNothingDone(error) : error)
    if (this.#refusal !== undefined) this.drop(this.#refusal)
    this.#afterGroup()
  }

  /** Nobody is there to do it: those who wait need not wait on. */
  drop(error: Error): void {
    for (const one of this.#waiting.splice(0)) one.reject(error)
    this.#afterGroup()
  }

  /** Takes nothing more. */
  refuse(): Error {
    this.#refusal ??= storageError('it is closed')
    return this.#refusal
  }

  /** Finishes what was asked for before. */
  async close(): Promise<void> {
    const refusal = this.refuse()
    if (this.#thread === undefined) this.drop(refusal)
    if (!this.#isIdle())
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    await this.#thread?.close()
    this.#thread = undefined
  }

  #push(one: Waiting): void {
    if (this.#refusal === undefined) this.#waiting.push(one)
    else one.reject(this.#refusal)
    this.#schedule()
  }

  #isIdle(): boolean {
    return this.#flight.length === 0 && this.#waiting.length === 0
  }

  #afterGroup(): void {
    this.#schedule()
    if (this.#isIdle()) this.#onIdle?.()
  }

  #takeFlight(): readonly Waiting[] {
    const flight = this.#flight
    this.#flight = []
    return flight
  }

  // Not at once: those who were answered together ask together. And not all of many: callers who move as one group
  // would let this thread and the writer wait for each other in turns.
  #schedule(): void {
    if (this.#isScheduled || this.#flight.length > 0 || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#post(this.#waiting.length < FEW ? MOST_IN_GROUP : Math.ceil(this.#waiting.length / 2))
    })
  }

  #post(asked: number = MOST_IN_GROUP): void {
    if (this.#thread === undefined || this.#flight.length > 0 || this.#waiting.length === 0) return
    const most = performance.now() < this.#carefulUntil ? 1 : Math.min(asked, MOST_IN_GROUP)
    // what was given up before it was sent is never begun
    const group = this.#waiting.splice(0, most).filter((one) => !one.isOver())
    try {
      this.#send(group)
    } catch {
      // one can't cross into another thread: it alone is refused
      this.#send(group.filter(canCross))
    }
    if (this.#flight.length === 0) this.#afterGroup()
  }

  #send(group: readonly Waiting[]): void {
    const thread = this.#thread
    if (thread === undefined || group.length === 0) return
    openGate(thread.gate)
    const synchronous = group.some((one) => one.synchronous === 'FULL') ? 'FULL' : 'NORMAL'
    const items = group.map(({ item }) => item)
    thread.post({ synchronous, items })
    this.#items = items
    for (const [place, one] of group.entries()) one.place = place
    this.#flight = group
  }

  /** False: too late, its commit is under way. */
  #giveUp({ place }: Waiting): boolean {
    const thread = this.#thread
    if (place === undefined || thread === undefined) return true
    if (!giveUp(thread.gate, place)) return false
    thread.post('look')
    return true
  }
}

const GIVEN_UP = Symbol('given up')

function canCross({ item, reject }: Waiting): boolean {
  try {
    structuredClone(item)
    return true
  } catch (cause) {
    reject(cause instanceof Error ? cause : new TypeError(String(cause)))
    return false
  }
}

function settleOne(one: Waiting, answer: Answer | undefined): void {
  switch (answer?.kind) {
    case 'done':
      one.resolve(answer.value)
      break
    case 'thrown':
      one.reject(errorTold(answer.error))
      break
    case 'given-up':
      one.resolve(GIVEN_UP)
      break
    case undefined:
      one.reject(storageError('the writer left it out'))
  }
}

// of a local effect alone: what a step tells of may have happened elsewhere, and must not be taken for undone
function withNothingDone(cause: Error): ToolError {
  return new ToolError('TOOL_STORAGE_ERROR', "The writer's thread has ended and nothing was done; try again.", { effect: 'none', cause })
}

function timedOut(name: string, timeoutMs: number): ToolError {
  return new ToolError('TOOL_EXECUTION_TIMEOUT', `${name} did not finish within ${timeoutMs} ms and was rolled back.`, { effect: 'none' })
}
