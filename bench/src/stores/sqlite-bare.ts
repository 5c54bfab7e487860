import { DatabaseSync } from 'node:sqlite'
import type { Tx } from '../../../core/src/index.ts'
import type { Row, SqlValue } from '../../../core/src/internal.ts'
import { systemEntropy } from '../../../core/src/ports.ts'
import { localEffect } from '../../../stores/sql/src/local-effect.ts'
import { translator } from '../../../stores/sql/src/portable.ts'
import { openSqlite } from '../../../stores/sql/src/sql-stores.ts'
import type { Sql } from '../../../stores/sql/src/step.ts'
import { captureCall, type Ids, valuesFor } from './capture.ts'
import { keyOf, shopPack } from './shop.ts'
import { COUNT_ROWS, checkRows, LOCAL_CALL, type OpenWriter, type Rows } from './writer.ts'

type Recorded = {
  readonly text: string
  readonly values: readonly SqlValue[]
  readonly answers: 'row' | 'nothing'
}
type Waiting = {
  readonly ids: Ids
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The statements of a governed call without the runtime: calls of one turn of the event loop are committed together, in this thread. */
export const openBareSqlite: OpenWriter = async (file) => {
  await (await openSqlite({ file, packs: [shopPack] })).close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const { recorded, ids: captured } = await recordStatements()
  const translate = translator('sqlite', 'database')
  const statements = recorded.map(({ text, values, answers }) => {
    const statement = database.prepare(translate(text))
    return {
      run: answers === 'row' ? statement.get.bind(statement) : statement.run.bind(statement),
      valuesOf: valuesFor(values, captured),
    }
  })
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const { newId } = systemEntropy()
  let waiting: Waiting[] = []

  function commitTogether(): void {
    const group = waiting
    waiting = []
    try {
      begin.run()
      for (const { ids } of group) for (const { run, valuesOf } of statements) run(...valuesOf(ids))
      commit.run()
    } catch (thrown) {
      for (const { reject } of group) reject(thrown)
      return
    }
    for (const { resolve } of group) resolve()
  }

  return {
    write(serial) {
      const now = Date.now()
      const ids = { call: newId('call', now), key: keyOf(serial), record: newId('aud', now) }
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(commitTogether)
        waiting.push({ ids, resolve, reject })
      })
    },
    countCalls: async () =>
      checkRows(database.prepare(COUNT_ROWS).get() as unknown as Rows, LOCAL_CALL),
    check: async () => undefined,
    close: async () => database.close(),
  }
}

/** The statements that a governed local effect runs in its transaction. */
async function recordStatements(): Promise<{
  readonly recorded: readonly Recorded[]
  readonly ids: Ids
}> {
  const { request, apply, ids } = await captureCall()
  const recorded: Recorded[] = []
  const noteStatement = (text: string, values: readonly SqlValue[], answers: Recorded['answers']) =>
    recorded.push({ text, values, answers })
  const sql: Sql = {
    dialect: 'sqlite',
    async get(text, ...values) {
      noteStatement(text, values, 'row')
      return { lease_until: 1, created_at: 1 } satisfies Row
    },
    async all(text, ...values) {
      noteStatement(text, values, 'row')
      return []
    },
    async run(text, ...values) {
      noteStatement(text, values, 'nothing')
      return 1
    },
    async runBoth(first, second) {
      for (const { text, values } of [first, second]) noteStatement(text, values, 'nothing')
      return true
    },
    lock: async () => undefined,
    enqueue: async () => undefined,
  }
  const tx: Tx = {
    get: sql.get,
    all: sql.all,
    run: async (text, ...values) => ({ changes: await sql.run(text, ...values) }),
  }
  await localEffect(sql, request, () => apply(tx))
  return { recorded, ids }
}
