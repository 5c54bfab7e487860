import { givenValue } from '../calls/call-row.ts'
import { type LocalKept, type LocalRequest, localEffect } from '../local-effect.ts'
import type { Sql } from '../step.ts'
import { storageError } from '../storage-error.ts'
import { LEFT, type LocalApplier, type Seat } from './apply-local.ts'
import type { Book } from './book.ts'
import { isGivenUp } from './commit-gate.ts'
import type { Connection } from './connection.ts'
import type { Answer, Item } from './group.ts'
import { savepoints } from './savepoint.ts'
import { tellError } from './told-error.ts'

export type ItemRunner = {
  /** Runs the item in its seat. What it throws has to end the transaction. */
  readonly run: (item: Item, seat: Seat, guard: Guard) => Promise<Answer>
}

/** `bare`: without savepoints, which cost as much as a statement; if something breaks, the group is run again with them. */
export type Guard = 'bare' | 'guarded'

type Parts = {
  readonly connection: Connection
  readonly book: Book
  readonly sql: Sql
  readonly applier: LocalApplier
}

/** A step broke without a savepoint: what it wrote can't be told from what its neighbours did. */
export const BROKE_BARE: Error = new Error('broke without a savepoint')

export function itemRunner({ connection: { database }, book, sql, applier }: Parts): ItemRunner {
  const inSavepoint = savepoints(database)
  const { withHand, begun, hasRefused, isRefusing } = applier

  async function runStep(name: string, args: unknown, guard: Guard): Promise<Answer> {
    const step = book.steps.get(name)
    if (step === undefined) return thrown(storageError(`the writer knows no step "${name}"`))
    try {
      return {
        kind: 'done',
        value: await (guard === 'bare'
          ? step.run(sql, args)
          : inSavepoint(() => step.run(sql, args))),
      }
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (guard === 'bare') throw BROKE_BARE
      return thrown(storageError(cause))
    }
  }

  async function applyLocal(request: LocalRequest, seat: Seat): Promise<Answer> {
    return toAnswer(await withHand(request, seat, (apply) => localEffect(sql, request, apply)))
  }

  /** The claim was rolled back with the effect; without a count a call that always breaks would be tried for ever. */
  async function countTry({ claim }: LocalRequest): Promise<void> {
    const step = book.steps.get('calls.countTry')
    if (step === undefined || !claim.resumes) return
    await step.run(sql, {
      tenant: givenValue(claim.given, 'tenant'),
      callId: givenValue(claim.given, 'call_id'),
    })
  }

  async function runLocal(request: LocalRequest, seat: Seat, guard: Guard): Promise<Answer> {
    const { gate, place } = seat
    if (isGivenUp(gate, place)) {
      if (begun.has(place)) await countTry(request)
      return { kind: 'given-up' }
    }
    begun.add(place)
    const isBare = guard === 'bare' && !isRefusing(request.name)
    try {
      return await (isBare
        ? applyLocal(request, seat)
        : inSavepoint(() => applyLocal(request, seat)))
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (cause !== LEFT) hasRefused(request.name)
      if (isBare) throw BROKE_BARE
      await countTry(request)
      return cause === LEFT ? { kind: 'given-up' } : thrown(cause)
    }
  }

  return {
    run: (item, seat, guard) =>
      item.kind === 'local'
        ? runLocal(item.request, seat, guard)
        : runStep(item.name, item.args, guard),
  }
}

// as text: it is written already, and crosses faster than what it tells
function toAnswer(kept: LocalKept): Answer {
  if (kept.kind !== 'done') return { kind: 'done', value: kept }
  return {
    kind: 'kept',
    fence: kept.fence.fence,
    json: kept.result === undefined ? undefined : kept.json,
  }
}

function thrown(cause: unknown): Answer {
  return { kind: 'thrown', error: tellError(cause) }
}
