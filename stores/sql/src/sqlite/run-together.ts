import { FIRST_FENCE, givenValue } from '../calls/call-row.ts'
import { type LocalRequest, told } from '../local-effect.ts'
import { LEFT, type LocalApplier, type Seat } from './apply-local.ts'
import { type CommitGate, isAt, isGivenUp } from './commit-gate.ts'
import type { Connection } from './connection.ts'
import type { Answer, Item } from './group.ts'
import { type DoneLocal, togetherWriter } from './write-together.ts'

/**
 * The quick way of a group that holds nothing but first calls: it is looked at once whether their keys are unused, their functions are run
 * one after another, and the rows of all are written as one statement.
 */
export type TogetherRunner = {
  /** The local effects of a group that may be run so; undefined: something else is among them. */
  readonly locals: (items: readonly Item[]) => readonly LocalRequest[] | undefined
  /** Throws APART when they have to be run one by one. What else it throws has ended the transaction. */
  readonly run: (locals: readonly LocalRequest[], gate: CommitGate) => Promise<readonly Answer[]>
}

/** They have to be run one by one: a key was used before, a function broke, somebody gave up. */
export const APART: Error = new Error('one by one')

/** A function that was run, and its result as it is kept. */
type Applied = DoneLocal & { readonly result: unknown }

export function togetherRunner(
  connection: Connection,
  { withHand, begun, hasRefused, isRefusing }: LocalApplier,
): TogetherRunner {
  const writer = togetherWriter(connection)

  async function apply(request: LocalRequest, seat: Seat): Promise<Applied> {
    if (isGivenUp(seat.gate, seat.place)) throw APART
    begun.add(seat.place)
    try {
      const result = await withHand(request, seat, (applied) => applied())
      return { request, result, ...told(request.name, result) }
    } catch (cause) {
      if (cause !== LEFT) hasRefused(request.name)
      throw cause
    }
  }

  async function applyAll(
    locals: readonly LocalRequest[],
    gate: CommitGate,
  ): Promise<readonly Answer[]> {
    if (!writer.areFirst(locals)) throw APART
    const done: Applied[] = []
    for (const [place, request] of locals.entries()) {
      isAt(gate, place)
      done.push(await apply(request, { gate, place }))
    }
    if (!writer.write(done)) throw APART
    return done.map(({ result, json }) => ({
      kind: 'kept',
      fence: FIRST_FENCE,
      json: result === undefined ? undefined : json,
    }))
  }

  return {
    locals(items) {
      const locals = items.flatMap((item) =>
        item.kind === 'local' && isPlain(item.request) && !isRefusing(item.request.name)
          ? [item.request]
          : [],
      )
      return locals.length === items.length ? locals : undefined
    },
    async run(locals, gate) {
      try {
        return await applyAll(locals, gate)
      } catch (cause) {
        // a full disk may have ended the whole transaction by itself
        if (!connection.database.isTransaction) throw cause
        throw APART
      }
    },
  }
}

/** A first call that asks for nothing but its effect, its row and its record. */
function isPlain({ claim, secretKeys }: LocalRequest): boolean {
  const { given, resumes, guardMs } = claim
  const isAlone =
    givenValue(given, 'parent_id') === null &&
    givenValue(given, 'is_secret') === 0 &&
    secretKeys.length === 0
  return isAlone && !resumes && guardMs === undefined
}
