import { ToolError } from '@surehand/core/ground'
import { givenValue } from '../calls/call-row.ts'
import { type LocalKept, type LocalRequest, localEffect } from '../local-effect.ts'
import type { Sql } from '../step.ts'
import { storageError } from '../storage-error.ts'
import type { Book } from './book.ts'
import { type CommitGate, isGivenUp } from './commit-gate.ts'
import type { Connection } from './connection.ts'
import type { Answer, Item } from './group.ts'
import { savepoints } from './savepoint.ts'
import { tellError } from './told-error.ts'
import { transactionHand } from './transaction-hand.ts'

export type ItemRunner = {
  /** Runs the item in its seat. What it throws has to end the transaction. */
  readonly run: (item: Item, seat: Seat, guard: Guard) => Promise<Answer>
  /** Somebody gave up: if it is the one at work, it is waited for no longer. */
  readonly look: () => void
  /** A new group begins: what was begun in the last one is past. */
  readonly forget: () => void
}

/** `bare`: without savepoints, which cost as much as a statement; if something breaks, the group is run again with them. */
export type Guard = 'bare' | 'guarded'

/** Its place in its group, and the group's gate. */
export type Seat = { readonly gate: CommitGate; readonly place: number }

type Parts = { readonly connection: Connection; readonly book: Book; readonly sql: Sql }

const LEFT = new Error('given up')
/** A step broke without a savepoint: what it wrote can't be told from what its neighbours did. */
export const BROKE_BARE: Error = new Error('broke without a savepoint')

export function itemRunner({ connection, book, sql }: Parts): ItemRunner {
  const { database } = connection
  const inSavepoint = savepoints(database)
  const begun = new Set<number>()
  // functions that have refused or broken before: they will again, and a group must not be run twice each time
  const refusing = new Set<string>()
  let watched: { readonly seat: Seat; readonly leave: () => void } | undefined

  function unlessGivenUp<T>(seat: Seat, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      watched = { seat, leave: () => reject(LEFT) }
      work.then(resolve, reject)
    })
  }

  async function runStep(name: string, args: unknown, guard: Guard): Promise<Answer> {
    const step = book.steps.get(name)
    if (step === undefined) return thrown(storageError(`the writer knows no step "${name}"`))
    try {
      return { kind: 'done', value: await (guard === 'bare' ? step.run(sql, args) : inSavepoint(() => step.run(sql, args))) }
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (guard === 'bare') throw BROKE_BARE
      return thrown(storageError(cause))
    }
  }

  async function applyLocal(request: LocalRequest, seat: Seat): Promise<Answer> {
    const { apply } = book.transactions.get(request.name) ?? unknownTransaction(request.name)
    const hand = transactionHand(connection)
    const effect = localEffect(sql, request, async () => {
      const result = await apply(hand.tx, request.args)
      hand.check()
      return result
    })
    try {
      return toAnswer(await unlessGivenUp(seat, effect))
    } finally {
      hand.close()
    }
  }

  /** The claim was rolled back with the effect; without a count a call that always breaks would be tried for ever. */
  async function countTry({ claim }: LocalRequest): Promise<void> {
    const step = book.steps.get('calls.countTry')
    if (step === undefined || !claim.resumes) return
    await step.run(sql, { tenant: givenValue(claim.given, 'tenant'), callId: givenValue(claim.given, 'call_id') })
  }

  async function runLocal(request: LocalRequest, seat: Seat, guard: Guard): Promise<Answer> {
    const { gate, place } = seat
    if (isGivenUp(gate, place)) {
      if (begun.has(place)) await countTry(request)
      return { kind: 'given-up' }
    }
    begun.add(place)
    try {
      const isBare = guard === 'bare' && !refusing.has(request.name)
      return await (isBare ? applyLocal(request, seat) : inSavepoint(() => applyLocal(request, seat)))
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (guard === 'bare' && !refusing.has(request.name)) {
        refusing.add(request.name)
        throw BROKE_BARE
      }
      await countTry(request)
      return cause === LEFT ? { kind: 'given-up' } : thrown(cause)
    }
  }

  return {
    run: (item, seat, guard) => (item.kind === 'local' ? runLocal(item.request, seat, guard) : runStep(item.name, item.args, guard)),
    look() {
      if (watched !== undefined && isGivenUp(watched.seat.gate, watched.seat.place)) watched.leave()
    },
    forget: () => begun.clear(),
  }
}

// as text: it is written already, and crosses faster than what it tells
function toAnswer(kept: LocalKept): Answer {
  if (kept.kind !== 'done') return { kind: 'done', value: kept }
  return { kind: 'kept', fence: kept.fence.fence, json: kept.result === undefined ? undefined : kept.json }
}

function thrown(cause: unknown): Answer {
  return { kind: 'thrown', error: tellError(cause) }
}

function unknownTransaction(name: string): never {
  throw new ToolError('TOOL_CONFIGURATION_ERROR', `No transaction is called "${name}": export it from the pack's transactions module.`)
}
