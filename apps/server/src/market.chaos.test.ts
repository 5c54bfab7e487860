import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type RunningMarket,
  runMarketChaos,
  writeRequest,
} from './fixtures/market-chaos/run-market-chaos.ts'

// npm run chaos:market does it for 500 requests, at random moments. This one kills at the worst
// moments, each as soon as the database shows that it has come.
test('a market whose nodes and WhatsApp are killed doubles no message, loses none and reaches no illegal state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'market-chaos-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { kills, cameToRest, figures, flaws } = await runMarketChaos({
    folder,
    programs: { command: join(import.meta.dirname, 'surehand.ts') },
    store: 'sqlite',
    requests: 3,
    vendors: 18,
    nodes: 2,
    disturb,
    restSeconds: 800,
    replyMinutes: 1,
    seed: 'gate',
    say: () => undefined,
  })
  expect(Object.values(flaws).flat()).toEqual([])
  expect({ kills, cameToRest, requests: figures.requests }).toEqual({
    kills: { nodes: 2, whatsapp: 1, faults: 2 },
    cameToRest: true,
    requests: 3,
  })
  expect(figures['replies recorded']).toBeGreaterThan(0)
}, 900_000)

async function disturb({ whatsapp, nodes, clients, read }: RunningMarket) {
  const [first, second] = nodes
  if (first === undefined || second === undefined) throw new Error('The run needs two nodes.')
  const until = (sql: string) =>
    expect.poll(async () => (await read(sql)).length, { timeout: 300_000 }).toBeGreaterThan(0)
  // WhatsApp sends these two messages and does not say so.
  await whatsapp.planFault({ kind: 'reset', when: 'after' })
  await whatsapp.planFault({ kind: '500', when: 'after' })
  for (const client of clients) await writeRequest(whatsapp, client)
  // Some vendors were written to, others were not yet.
  await until("select 1 from mk_messages where party = 'vendor' and direction = 'outbound' limit 1")
  await first.kill()
  const restarted = first.start()
  await until("select 1 from mk_messages where party = 'vendor' and direction = 'inbound' limit 1")
  await whatsapp.crash()
  await restarted
  await until('select 1 from mk_replies limit 1')
  await second.kill()
  return { nodes: 2, whatsapp: 1, faults: 2 }
}
