import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { failedOn, openCommitter } from './committer.ts'
import type { FromWriter, ToWriter, WriterData } from './group.ts'
import { unpackGroup } from './packed-group.ts'
import { tellError } from './told-error.ts'
import { writeTurn } from './write-turn.ts'

// what a transaction function did not wait for: its hand has told of it already
process.on('unhandledRejection', () => undefined)
await start(parentPort as MessagePort, workerData as WriterData)

async function start(port: MessagePort, data: WriterData): Promise<void> {
  const tell = (message: FromWriter) => port.postMessage(message)
  const { commit, look, close } = await openCommitter(data, writeTurn).catch((thrown: unknown) => {
    tell({ kind: 'failed', error: tellError(thrown) })
    throw thrown
  })

  port.on('message', (message: ToWriter) => {
    switch (message) {
      case 'look':
        look()
        break
      case 'close':
        close()
        // ends this thread alone, though a function that was given up still waits for something
        process.exit()
        break
      default:
        void commit('items' in message ? message : unpackGroup(message))
          .then(tell)
          // an answer that can't cross: nobody must wait for it for ever
          .catch((thrown: unknown) => tell(failedOn(thrown)))
    }
  })
  tell('ready')
}
