import { expect, test } from 'vitest'
import { tryImportsWithClients } from '../fixtures/imports-with-clients.ts'

// `npm run imports:clients` calls every tool with every client.
// Nothing is waited for here: three large documents are read and 1,800 tools listed four times, which
// takes half a minute of computing, and minutes where other suites compute at the same time.
const LONG = { timeout: 600_000 }

test(
  'the official clients list 1,800 imported tools and call them without an error',
  LONG,
  async () => {
    const { imported, trials, compactTokens, unmatched } = await tryImportsWithClients(20)
    expect(imported).toBeGreaterThan(1_800)
    expect(trials.map(({ client, listingTokens, ...seen }) => seen)).toEqual(
      trials.map(() => ({ listed: imported, called: 20, errors: [] })),
    )
    expect(trials).toHaveLength(3)
    expect(compactTokens).toBeLessThanOrEqual(3_000)
    expect(unmatched).toEqual([])
  },
)
