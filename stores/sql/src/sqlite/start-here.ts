import { makeCommitGate } from './commit-gate.ts'
import { failedOn, openCommitter } from './committer.ts'
import type { Group, GroupAnswer, WriterData } from './group.ts'
import type { ThreadEvents, WriterThread } from './start-thread.ts'

/**
 * The writer without a thread: the same commits, in this one. For a command that ends soon, where starting a thread takes longer than
 * what it is there for. A function that never lets go is not ended here, and whoever waits for the file holds up everything else.
 */
export async function startHere(data: Omit<WriterData, 'gate'>, { onAnswer }: Pick<ThreadEvents, 'onAnswer'>): Promise<WriterThread> {
  const gate = makeCommitGate()
  const committer = await openCommitter({ ...data, gate })
  let isEnded = false

  // copies both ways: a function that writes into what it was given must not change what its caller holds
  async function commit(group: Group): Promise<void> {
    const answer = await committer
      .commit(group)
      .then(structuredClone<GroupAnswer>)
      .catch(failedOn)
    if (!isEnded) onAnswer(answer)
  }

  return {
    gate,
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
