import { expect, test } from 'vitest'
import { falseAlarms, tallyTamperings } from './tally.ts'
import { TAMPERINGS } from './tamperings.ts'

const SEED = 'gate'
// ten seconds alone; a machine with others on it takes its time
const PATIENCE = { timeout: 300_000 }

test(
  '300 tamperings with records under an anchored head are all seen, where they lie and in an export',
  PATIENCE,
  async () => {
    const { kinds, missed } = await tallyTamperings(300, SEED)
    expect(missed).toEqual([])
    // every kind was tried, and really changed something
    for (const kind of TAMPERINGS.keys()) expect(kinds.get(kind)?.seen).toBeGreaterThanOrEqual(20)
  },
)

test('30 clean houses raise no alarm', PATIENCE, async () => {
  expect(await falseAlarms(30, SEED)).toEqual([])
})

test(
  'without anchors some tamperings go undetected, and the tally counts them',
  PATIENCE,
  async () => {
    const { kinds } = await tallyTamperings(60, SEED, 'keys alone')
    expect(kinds.get('rewrite the end, heads dropped')?.missed).toBeGreaterThan(0)
    expect(kinds.get('edit any column')?.missed).toBe(0)
  },
)
