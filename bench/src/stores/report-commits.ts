import { DatabaseSync } from 'node:sqlite'
import { COMMITS_CHANNEL, type CommitKind } from './commits-channel.ts'

// Loaded before everything else, in every thread (`--import`): it counts the commits at the driver, independently of the store.
const channel = new BroadcastChannel(COMMITS_CHANNEL)
channel.unref()

type Connection = { isWriting: boolean; synchronous: string }
const connections = new WeakMap<DatabaseSync, Connection>()

function noteStatements(database: DatabaseSync, text: string): void {
  const connection = connections.get(database) ?? { isWriting: false, synchronous: 'FULL' }
  connections.set(database, connection)
  for (const statement of text.split(';')) {
    const words = statement.trim().toUpperCase()
    if (words.startsWith('BEGIN')) connection.isWriting = words.includes('IMMEDIATE')
    connection.synchronous =
      /^PRAGMA SYNCHRONOUS *= *(\w+)/.exec(words)?.[1] ?? connection.synchronous
    if (words !== 'COMMIT' || !connection.isWriting) continue
    channel.postMessage(
      (connection.synchronous === 'FULL' ? 'durable' : 'lazy') satisfies CommitKind,
    )
  }
}

const { exec, prepare } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (this: DatabaseSync, text) {
  exec.call(this, text)
  noteStatements(this, text)
}

DatabaseSync.prototype.prepare = function (this: DatabaseSync, text, ...more) {
  const statement = prepare.call(this, text, ...more)
  if (!/^(?:begin|commit)/i.test(text)) return statement
  const run = statement.run.bind(statement)
  // Neither statement takes values.
  statement.run = () => {
    const result = run()
    noteStatements(this, text)
    return result
  }
  return statement
}
