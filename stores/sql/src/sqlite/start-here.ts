import { makeCommitGates } from './commit-gate.ts'
import { failedOn, openCommitter } from './committer.ts'
import type { Group, GroupAnswer, WriterData } from './group.ts'
import { patientTurn } from './patient-turn.ts'
import type { ThreadEvents, WriterThread } from './start-thread.ts'

/**
 * The writer without a thread: the same commits, in this one. For a command that ends soon, where starting a thread takes longer than
 * what it is there for. A function that never lets go is not ended here.
 */
export async function startHere(
  data: Omit<WriterData, 'gates'>,
  { onAnswer }: Pick<ThreadEvents, 'onAnswer'>,
): Promise<WriterThread> {
  const gates = makeCommitGates()
  const committer = await openCommitter({ ...data, gates }, patientTurn)
  let isEnded = false

  // copies both ways: a function that writes into what it was given must not change what its caller holds
  async function commit(group: Group): Promise<void> {
    process.on('unhandledRejection', ignore)
    const answer = await committer
      .commit(group)
      .then(structuredClone<GroupAnswer>)
      .catch(failedOn)
    if (!isEnded) onAnswer(answer)
    // told of behind the microtasks that are due by now
    setImmediate(() => process.off('unhandledRejection', ignore))
  }

  return {
    gates,
    post(message) {
      if (message === 'look') committer.look()
      else void commit(structuredClone(message))
    },
    close: async () => committer.close(),
    end() {
      isEnded = true
      committer.close()
    },
  }
}

function ignore(): void {
  // what a transaction function did not wait for: its hand has told of it already
}
