import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { conversations, openConversationMarket } from './conversations.ts'

// npm run conversations -- [--conversations 10000] [--seed 1]
// Set TMPDIR to a folder in memory, such as /dev/shm: most of the time goes to the disk otherwise.
const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
})
const total = Number(values.conversations)
// A new database every so often, because a search of the ledger slows down as it grows.
const BATCH = 250
const startedAt = Date.now()
let done = 0
let happened = 0
while (done < total) {
  const market = await openConversationMarket()
  const numRuns = Math.min(BATCH, total - done)
  await fc.assert(
    fc.asyncProperty(conversations, async (happenings) => {
      happened += happenings.length
      await market.run(happenings)
    }),
    { numRuns, seed: Number(values.seed) + done },
  )
  await market.close()
  done += numRuns
  const { user, system } = process.cpuUsage()
  console.log(
    `${done} conversations, ${happened} events, ${Math.round((Date.now() - startedAt) / 1_000)} s, ${Math.round((user + system) / 1e6)} CPU s: every property holds`,
  )
}
