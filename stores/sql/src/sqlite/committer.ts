import type { DatabaseSync } from 'node:sqlite'
import { storageError } from '../storage-error.ts'
import { readBook } from './book.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Group, GroupAnswer, WriterData } from './group.ts'
import { type GroupRunner, groupRunner } from './run-group.ts'
import { tellError } from './told-error.ts'
import type { WriteTurn } from './write-turn.ts'

/** Commits groups on a connection of its own, in whichever thread it was opened. */
export type Committer = {
  /** Never rejects: trouble is an answer. */
  readonly commit: (group: Group) => Promise<GroupAnswer>
  /** Somebody gave up. */
  readonly look: () => void
  readonly close: () => void
}

type Opened = { readonly connection: Connection; readonly groups: GroupRunner }

/** Resolves when all that it may be asked for by name is found. */
export async function openCommitter(
  data: WriterData,
  turnOn: (database: DatabaseSync) => WriteTurn,
): Promise<Committer> {
  const book = await readBook(data.transactionModules, data.stepModules)
  let opened: Opened | undefined
  let last: Promise<unknown> = Promise.resolve()

  // not before it is needed: the tables are made while the modules are being read
  function open(): Opened {
    const connection = openConnection(data.file, data.time, 'write')
    return {
      connection,
      groups: groupRunner(connection, book, {
        gates: data.gates,
        turn: turnOn(connection.database),
      }),
    }
  }

  async function run(group: Group): Promise<GroupAnswer> {
    try {
      opened ??= open()
      return await opened.groups.run(group)
    } catch (thrown) {
      return failedOn(thrown)
    }
  }

  return {
    // one after the other: a group may be asked for while a function of the one before waits for something
    commit(group) {
      const answer = last.then(() => run(group))
      last = answer
      return answer
    },
    look: () => opened?.groups.look(),
    close: () => opened?.connection.close(),
  }
}

export function failedOn(thrown: unknown): GroupAnswer {
  return { kind: 'failed', error: tellError(storageError(thrown)) }
}
