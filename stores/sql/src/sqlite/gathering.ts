import { ToolError } from '@surehand/core'
import type { LocalDone } from '@surehand/core/ports'
import { givenValue } from '../calls/call-row.ts'
import { storageError } from '../storage-error.ts'
import type { Seat } from './apply-local.ts'
import { barGate, type CommitGate, giveUp, MOST_IN_GROUP, openGate } from './commit-gate.ts'
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
  /** Where it sits in a group that was sent. */
  seat: Seat | undefined
}

/** A group that was sent and is not answered. */
type Flight = {
  readonly group: readonly Waiting[]
  readonly items: readonly Item[]
  readonly gate: CommitGate
}

// fewer share one commit whole
const FEW = 8
// how long after a thread's end every call stands alone in its group: what kills its thread then kills only itself
const CAREFUL_MS = 30_000
// a timer of more would fire at once
const LONGEST_MS = 2 ** 31 - 1

/** What is asked for while groups are being committed: the next group. */
export class Gathering {
  #waiting: Waiting[] = []
  // the first is at work, the second lies ready: the writer must not wait for us between two groups
  #flights: Flight[] = []
  #thread: WriterThread | undefined
  #isStuck: ReturnType<typeof watchdog> = () => false
  #carefulUntil = 0
  #isScheduled = false
  #refusal: Error | undefined
  #onIdle: (() => void) | undefined

  add(item: Item, synchronous: Group['synchronous']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#push({ item, synchronous, resolve, reject, isOver: () => false, seat: undefined })
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
        resolve: ending((value) =>
          value === GIVEN_UP ? reject(timedOut(item.request.name, timeoutMs)) : resolve(value),
        ),
        reject: ending(reject),
        isOver: () => isOver,
        seat: undefined,
      }
      this.#push(one)
    })
  }

  /** The thread that commits from now on. */
  use(thread: WriterThread, manner: 'together' | 'carefully' = 'together'): void {
    this.#thread = thread
    this.#isStuck = watchdog()
    if (manner === 'carefully') this.#carefulUntil = performance.now() + CAREFUL_MS
    this.#schedule()
  }

  /** The group at work was answered; tells whether it left wake-ups. */
  settle(answer: GroupAnswer): boolean {
    const group = this.#flights.shift()?.group ?? []
    // the writer is at the next group while this one is being told
    this.#post()
    if (answer.kind === 'failed') for (const one of group) one.reject(errorTold(answer.error))
    else for (const [place, one] of group.entries()) settleOne(one, answer.answers[place])
    this.#afterGroup()
    return answer.kind === 'committed' && answer.hasEnqueued
  }

  /** Ends a thread that stands still, and with it the file's lock; its group hears the error. */
  endIfStuck(): Error | undefined {
    const thread = this.#thread
    const [atWork] = this.#flights
    if (thread === undefined || atWork === undefined || !this.#isStuck(atWork.gate, atWork.items))
      return undefined
    // it got on after all
    if (!barGate(atWork.gate)) return undefined
    thread.end()
    return storageError('the writer stood still and was ended')
  }

  /** The thread has gone, with the group it was at. */
  lose(error: Error): void {
    this.#thread = undefined
    const [atWork, ...ready] = this.#flights.splice(0)
    if (atWork !== undefined) refuseAll(atWork, error)
    for (const flight of ready) {
      // it only lay ready, and will not be begun any more: the next thread has it
      if (barGate(flight.gate)) this.#putBack(flight.group)
      else refuseAll(flight, error)
    }
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

  #putBack(group: readonly Waiting[]): void {
    for (const one of group) one.seat = undefined
    this.#waiting.unshift(...group)
  }

  #isIdle(): boolean {
    return this.#flights.length === 0 && this.#waiting.length === 0
  }

  #afterGroup(): void {
    this.#schedule()
    if (this.#isIdle()) this.#onIdle?.()
  }

  // Not at once: those who were answered together ask together. And not all of many: callers who move as one group
  // would let this thread and the writer wait for each other in turns.
  #schedule(): void {
    if (this.#isScheduled || !this.#maySend()) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const isFirst = this.#flights.length === 0 && this.#waiting.length >= FEW
      this.#post(isFirst ? Math.ceil(this.#waiting.length / 2) : MOST_IN_GROUP)
    })
  }

  // few do not go ahead of an answer: more would come to share their commit
  #maySend(): boolean {
    if (this.#thread === undefined || this.#waiting.length === 0) return false
    if (this.#flights.length === 0) return true
    return (
      this.#flights.length < this.#thread.gates.length &&
      this.#waiting.length >= FEW &&
      !this.#isCareful()
    )
  }

  #isCareful(): boolean {
    return performance.now() < this.#carefulUntil
  }

  #post(asked: number = MOST_IN_GROUP): void {
    if (!this.#maySend()) return
    const most = this.#isCareful() ? 1 : Math.min(asked, MOST_IN_GROUP)
    // what was given up before it was sent is never begun
    const group = this.#waiting.splice(0, most).filter((one) => !one.isOver())
    try {
      this.#send(group)
    } catch {
      // one can't cross into another thread: it alone is refused
      this.#send(group.filter(canCross))
    }
    this.#afterGroup()
  }

  #send(group: readonly Waiting[]): void {
    const thread = this.#thread
    if (thread === undefined || group.length === 0) return
    const [number, gate] = this.#freeGate(thread)
    openGate(gate)
    const synchronous = group.some((one) => one.synchronous === 'FULL') ? 'FULL' : 'NORMAL'
    const items = group.map(({ item }) => item)
    thread.post({ synchronous, items, gate: number })
    for (const [place, one] of group.entries()) one.seat = { gate, place }
    this.#flights.push({ group, items, gate })
  }

  #freeGate({ gates }: WriterThread): readonly [number, CommitGate] {
    const free = [...gates.entries()].find(([, gate]) =>
      this.#flights.every((flight) => flight.gate !== gate),
    )
    if (free === undefined) throw new TypeError('Every gate has its group.')
    return free
  }

  /** False: too late, its commit is under way. */
  #giveUp({ seat }: Waiting): boolean {
    const thread = this.#thread
    // without a thread it waits for the next one
    if (seat === undefined || thread === undefined) return true
    if (!giveUp(seat.gate, seat.place)) return false
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
    case 'kept':
      one.resolve(keptAs(one.item, answer))
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

function keptAs(item: Item, { fence, json }: Extract<Answer, { kind: 'kept' }>): LocalDone {
  if (item.kind !== 'local') throw new TypeError('Only a local effect is kept.')
  const { given } = item.request.claim
  const parentId = givenValue(given, 'parent_id')
  return {
    kind: 'done',
    fence: {
      tenant: String(givenValue(given, 'tenant')),
      callId: String(givenValue(given, 'call_id')),
      fence,
      parentId: parentId === null ? undefined : String(parentId),
    },
    result: json === undefined ? undefined : JSON.parse(json),
  }
}

function refuseAll({ group, gate }: Flight, error: Error): void {
  // when its commit had begun, nobody knows
  const isUndone = barGate(gate)
  for (const one of group)
    one.reject(isUndone && one.item.kind === 'local' ? withNothingDone(error) : error)
}

// of a local effect alone: what a step tells of may have happened elsewhere, and must not be taken for undone
function withNothingDone(cause: Error): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    "The writer's thread has ended and nothing was done; try again.",
    { effect: 'none', cause },
  )
}

function timedOut(name: string, timeoutMs: number): ToolError {
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${name} did not finish within ${timeoutMs} ms and was rolled back.`,
    { effect: 'none' },
  )
}
