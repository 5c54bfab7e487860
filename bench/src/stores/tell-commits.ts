import { DatabaseSync } from 'node:sqlite'
import { COMMITS_CHANNEL, type Committed } from './committed.ts'

// Loaded before everything else, in every thread (`--import`): what is counted is what SQLite is told, not what the store says of itself.
const channel = new BroadcastChannel(COMMITS_CHANNEL)
channel.unref()

type Connection = { isWriting: boolean; synchronous: string }
const connections = new WeakMap<DatabaseSync, Connection>()

function note(database: DatabaseSync, text: string): void {
  const connection = connections.get(database) ?? { isWriting: false, synchronous: 'FULL' }
  connections.set(database, connection)
  for (const statement of text.split(';')) {
    const words = statement.trim().toUpperCase()
    if (words.startsWith('BEGIN')) connection.isWriting = words.includes('IMMEDIATE')
    connection.synchronous =
      /^PRAGMA SYNCHRONOUS *= *(\w+)/.exec(words)?.[1] ?? connection.synchronous
    if (words !== 'COMMIT' || !connection.isWriting) continue
    channel.postMessage(
      (connection.synchronous === 'FULL' ? 'durable' : 'lazy') satisfies Committed,
    )
  }
}

const { exec, prepare } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (this: DatabaseSync, text) {
  exec.call(this, text)
  note(this, text)
}

DatabaseSync.prototype.prepare = function (this: DatabaseSync, text, ...more) {
  const statement = prepare.call(this, text, ...more)
  if (!/^(?:begin|commit)/i.test(text)) return statement
  const run = statement.run.bind(statement)
  // neither of the two takes values
  statement.run = () => {
    const result = run()
    note(this, text)
    return result
  }
  return statement
}
