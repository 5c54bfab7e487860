import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { storageError } from '../storage-error.ts'
import { readBook } from './book.ts'
import { type Connection, openConnection } from './connection.ts'
import type { FromWriter, Group, GroupAnswer, ToWriter, WriterData } from './group.ts'
import { type GroupRunner, groupRunner } from './run-group.ts'
import { tellError } from './told-error.ts'

type Opened = { readonly connection: Connection; readonly groups: GroupRunner }

// a statement that a transaction function did not wait for: its hand has told of it already
process.on('unhandledRejection', () => undefined)
await start(parentPort as MessagePort, workerData as WriterData)

async function start(port: MessagePort, data: WriterData): Promise<void> {
  const tell = (message: FromWriter) => port.postMessage(message)
  const book = await readBook(data.transactionModules, data.stepModules).catch((thrown: unknown) => {
    tell({ kind: 'failed', error: tellError(thrown) })
    throw thrown
  })
  let opened: Opened | undefined

  // not before it is needed: the tables are made while this thread loads its modules
  function open(): Opened {
    const connection = openConnection(data.file, data.time, 'write')
    return { connection, groups: groupRunner(connection, book, data.gate) }
  }

  async function commit(group: Group): Promise<GroupAnswer> {
    try {
      opened ??= open()
      return await opened.groups.run(group)
    } catch (thrown) {
      return { kind: 'failed', error: tellError(storageError(thrown)) }
    }
  }

  port.on('message', (message: ToWriter) => {
    switch (message) {
      case 'look':
        opened?.groups.look()
        break
      case 'close':
        opened?.connection.close()
        // ends this thread alone, though a function that was given up still waits for something
        process.exit()
        break
      default:
        void commit(message)
          .then(tell)
          // an answer that can't cross: nobody must wait for it for ever
          .catch((thrown: unknown) => tell({ kind: 'failed', error: tellError(storageError(thrown)) }))
    }
  })
  tell('ready')
}
