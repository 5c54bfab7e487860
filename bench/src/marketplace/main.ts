import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { runSuite } from '../harness/run-suite.ts'
import { percentile } from '../harness/statistics.ts'
import { timeSearches } from './time-search.ts'
import { timeWebhooks } from './time-webhooks.ts'

const SEARCH_GOAL_MS = 50
const WEBHOOK_GOAL_MS = 50

const options = readOptions({ rounds: 500, texts: ['seconds', 'rate'] })
const seconds = readWholeNumber('seconds', options.texts.seconds, { fallback: 60, least: 1 })
const perSecond = readWholeNumber('rate', options.texts.rate, { fallback: 50, least: 1 })

await runSuite('marketplace', options, async ({ folder, startNoiseWatch }) => {
  const [searchFolder, webhookFolder] = ['search', 'webhooks'].map((name) => join(folder, name))
  for (const one of [searchFolder, webhookFolder]) mkdirSync(one ?? folder, { recursive: true })
  startNoiseWatch()
  const { vendors, timesMs } = await timeSearches(searchFolder ?? folder, options.rounds)
  const webhooks = await timeWebhooks(webhookFolder ?? folder, { perSecond, seconds })
  const row = (what: string, times: readonly number[]): string[] => [
    what,
    String(times.length),
    ...[0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1)),
  ]
  const verdicts = [
    judgeFigure(
      `a webhook is durable within ${WEBHOOK_GOAL_MS} ms (p99) at ${perSecond} a second`,
      percentile(webhooks.timesMs, 0.99),
      (p99) => ({
        isReached: p99 <= WEBHOOK_GOAL_MS && webhooks.refused === 0,
        measured: `${p99.toFixed(1)} ms${webhooks.refused > 0 ? `, ${webhooks.refused} refused` : ''}`,
      }),
    ),
    judgeFigure(
      `search_vendors over ${vendors} vendors within ${SEARCH_GOAL_MS} ms (p95)`,
      percentile(timesMs, 0.95),
      (p95) => ({ isReached: p95 <= SEARCH_GOAL_MS, measured: `${p95.toFixed(1)} ms` }),
    ),
  ]
  return {
    sections: [
      {
        title: 'Marketplace on SQLite',
        table: {
          head: ['', 'count', 'p50 ms', 'p95 ms', 'p99 ms', 'most ms'],
          rows: [
            row(`webhooks, ${perSecond} a second`, webhooks.timesMs),
            row('marketplace.search_vendors', timesMs),
          ],
          right: [1, 2, 3, 4, 5],
        },
        notes: [
          'A webhook is timed from the moment at which it was due to its 200 answer, which is given when the event is durable; the server processes the events at the same time.',
          'A search is a call through the whole pipeline in process, with radii of 2, 5 and 15 km.',
        ],
      },
      goalsSection(verdicts),
    ],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
})
