import { type LocalApplier, localApplier } from './apply-local.ts'
import type { Book } from './book.ts'
import { type CommitGate, isAt, isWaiting, shutGate } from './commit-gate.ts'
import type { Connection } from './connection.ts'
import type { Answer, Group, GroupAnswer } from './group.ts'
import { BROKE_BARE, type Guard, itemRunner } from './run-item.ts'
import { APART, togetherRunner } from './run-together.ts'
import { sqlOf } from './sql-of.ts'
import type { WriteTurn } from './write-turn.ts'

/** Commits groups, one at a time. */
export type GroupRunner = {
  /** When it throws, nothing of the group is there, or the commit itself broke. */
  readonly run: (group: Group) => Promise<GroupAnswer>
  readonly look: LocalApplier['look']
}

/** A group that may be committed, or has to be run again. */
type Attempt =
  | { readonly kind: 'committed'; readonly answers: readonly Answer[] }
  | { readonly kind: 'again'; readonly manner: Manner }

/** `together`: the quick way, where a group may take it. */
type Manner = Guard | 'together'

/** Who waits for whom: other processes for the file, and whoever gave up for nobody. */
export type Waiting = { readonly gates: readonly CommitGate[]; readonly turn: WriteTurn }

export function groupRunner(
  connection: Connection,
  book: Book,
  { gates, turn }: Waiting,
): GroupRunner {
  const { database } = connection
  const commit = database.prepare('COMMIT')
  const state = { hasEnqueued: false, synchronous: '' }
  const sql = sqlOf(connection, () => {
    state.hasEnqueued = true
  })
  const applier = localApplier(connection, book)
  const items = itemRunner({ connection, book, sql, applier })
  const together = togetherRunner(connection, applier)

  function gateOf(group: Group): CommitGate {
    const gate = gates[group.gate]
    if (gate === undefined) throw new TypeError(`There is no gate ${group.gate}.`)
    return gate
  }

  // only between transactions does it count
  async function setSynchronous(synchronous: Group['synchronous']): Promise<void> {
    if (state.synchronous === synchronous) return
    await turn.whenFree(() => database.exec(`PRAGMA synchronous = ${synchronous}`))
    state.synchronous = synchronous
  }

  async function runAll(group: Group, manner: Manner): Promise<readonly Answer[]> {
    const gate = gateOf(group)
    const locals = manner === 'together' ? together.locals(group.items) : undefined
    if (locals !== undefined) return together.run(locals, gate)
    const guard = manner === 'together' ? 'bare' : manner
    const answers: Answer[] = []
    for (const [place, item] of group.items.entries()) {
      isAt(gate, place)
      answers.push(await items.run(item, { gate, place }, guard))
    }
    return answers
  }

  async function attempt(group: Group, manner: Manner): Promise<Attempt> {
    const gate = gateOf(group)
    state.hasEnqueued = false
    isWaiting(gate)
    await turn.begin()
    try {
      const answers = await runAll(group, manner)
      // somebody gave up at the last moment: the others must not wait for it, nor take it with them
      if (!shutGate(gate, placesDone(group, answers))) return { kind: 'again', manner }
      commit.run()
      return { kind: 'committed', answers }
    } catch (thrown) {
      if (thrown === APART) return { kind: 'again', manner: 'bare' }
      if (thrown !== BROKE_BARE) throw thrown
      return { kind: 'again', manner: 'guarded' }
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
      turn.ended()
    }
  }

  return {
    async run(group) {
      applier.newGroup()
      isWaiting(gateOf(group))
      await setSynchronous(group.synchronous)
      let tried = await attempt(group, 'together')
      while (tried.kind === 'again') tried = await attempt(group, tried.manner)
      return { ...tried, hasEnqueued: state.hasEnqueued }
    },
    look: applier.look,
  }
}

/** Where local effects stand that would be committed. */
function placesDone({ items }: Group, answers: readonly Answer[]): readonly number[] {
  const places: number[] = []
  for (let place = 0; place < items.length; place++)
    if (items[place]?.kind === 'local' && isDone(answers[place])) places.push(place)
  return places
}

function isDone(answer: Answer | undefined): boolean {
  return answer?.kind === 'kept' || answer?.kind === 'done'
}
