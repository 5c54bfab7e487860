import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serializeError } from '../serialized-error.ts'
import { blockingWriteLock } from '../write-lock.ts'
import type { FromWriter, ToWriter, WriterData } from './batch.ts'
import { openBatchCommitter, toFailedResult } from './batch-committer.ts'
import { unpackBatch } from './packed-batch.ts'

// A statement that a transaction function did not await: its handle has reported the failure
// already.
process.on('unhandledRejection', () => undefined)
await start(parentPort as MessagePort, workerData as WriterData)

async function start(port: MessagePort, data: WriterData): Promise<void> {
  const tell = (message: FromWriter) => port.postMessage(message)
  const { commit, checkCancelled, close } = await openBatchCommitter(data, blockingWriteLock).catch(
    (thrown: unknown) => {
      tell({ kind: 'failed', error: serializeError(thrown) })
      throw thrown
    },
  )

  port.on('message', (message: ToWriter) => {
    switch (message) {
      case 'check-cancelled':
        checkCancelled()
        break
      case 'close':
        close()
        // Ends only this thread, even if the function of a cancelled entry still awaits something.
        process.exit()
        break
      default:
        void commit('writes' in message ? message : unpackBatch(message))
          .then(tell)
          // A result that cannot be cloned must not leave the callers waiting for ever.
          .catch((thrown: unknown) => tell(toFailedResult(thrown)))
    }
  })
  tell('ready')
}
