import { ToolError } from '@surehand/core/worker-entry'
import type { LocalRequest } from '../local-effect.ts'
import type { Book } from './book.ts'
import { type CommitGate, isGivenUp } from './commit-gate.ts'
import type { Connection } from './connection.ts'
import { transactionHand } from './transaction-hand.ts'

/** Its place in its group, and the group's gate. */
export type Seat = { readonly gate: CommitGate; readonly place: number }

/** Runs the functions of local effects, and remembers of them what those who run groups have to know. */
export type LocalApplier = {
  /** Lends the function a hand in the transaction, for as long as the work around it takes. */
  readonly withHand: <T>(
    request: LocalRequest,
    seat: Seat,
    work: (apply: () => Promise<unknown>) => Promise<T>,
  ) => Promise<T>
  /** Somebody gave up: if it is the one at work, it is waited for no longer. */
  readonly look: () => void
  /** The places of the group at work whose functions have begun. */
  readonly begun: Set<number>
  readonly newGroup: () => void
  /** It refused or broke. */
  readonly hasRefused: (name: string) => void
  /** Did it lately? Then it will again, and a group must not be run twice each time. */
  readonly isRefusing: (name: string) => boolean
}

// for so many groups
const LATELY = 64

/** Thrown out of a function that was given up. */
export const LEFT: Error = new Error('given up')

export function localApplier(connection: Connection, book: Book): LocalApplier {
  const begun = new Set<number>()
  const refusedIn = new Map<string, number>()
  let groups = 0
  let watched: { readonly seat: Seat; readonly leave: () => void } | undefined

  function unlessGivenUp<T>(seat: Seat, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      watched = { seat, leave: () => reject(LEFT) }
      work.then(resolve, reject)
    })
  }

  return {
    async withHand(request, seat, work) {
      const { apply } = book.transactions.get(request.name) ?? unknownTransaction(request.name)
      const hand = transactionHand(connection)
      const checked = async (): Promise<unknown> => {
        const result = await apply(hand.tx, request.args)
        hand.check()
        return result
      }
      try {
        return await unlessGivenUp(seat, work(checked))
      } finally {
        hand.close()
      }
    },
    look() {
      if (watched !== undefined && isGivenUp(watched.seat.gate, watched.seat.place)) watched.leave()
    },
    begun,
    newGroup() {
      begun.clear()
      groups++
    },
    hasRefused: (name) => void refusedIn.set(name, groups),
    isRefusing: (name) => groups - (refusedIn.get(name) ?? Number.NEGATIVE_INFINITY) < LATELY,
  }
}

function unknownTransaction(name: string): never {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `No transaction is called "${name}": export it from the pack's transactions module.`,
  )
}
