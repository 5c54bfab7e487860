import { expect, test } from 'vitest'
import { tryImportsWithClients } from '../fixtures/imports-with-clients.ts'

// `npm run imports:clients` calls every tool with every client.
test('the official clients list 1,800 imported tools and call them without an error', async () => {
  const { imported, trials, compactTokens, unmatched } = await tryImportsWithClients(20)
  expect(imported).toBeGreaterThan(1_800)
  expect(trials.map(({ client, listingTokens, ...seen }) => seen)).toEqual(
    trials.map(() => ({ listed: imported, called: 20, errors: [] })),
  )
  expect(trials).toHaveLength(3)
  expect(compactTokens).toBeLessThanOrEqual(3_000)
  expect(unmatched).toEqual([])
})
