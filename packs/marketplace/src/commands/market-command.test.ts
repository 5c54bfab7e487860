import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLE_ROWS } from '../../testing/market-rows.ts'
import {
  AGENT,
  type MarketDatabase,
  type MarketWorld,
  OPERATOR,
  openMarketDatabase,
} from '../../testing/market-world.ts'
import { DEMO_VENDORS } from '../demo/market-vendors.ts'
import { marketCommand } from './market-command.ts'

let database: MarketDatabase
let world: MarketWorld
beforeAll(async () => {
  database = await openMarketDatabase()
  world = await database.open({ rows: EXAMPLE_ROWS })
  const vendors = DEMO_VENDORS.map(({ sector, ...vendor }) => ({ ...vendor, area: sector }))
  // Twice: an import replaces what it brought before.
  for (const key of ['first', 'second'])
    await world.data('marketplace.import_vendors', { vendors }, { key, caller: operator() })
})
afterAll(() => database.close())

const operator = () => ({ ...OPERATOR, tenant: world.tenant })

/** Runs the command as `surehand market …` does, with tables as lists of rows. */
async function run(...args: string[]) {
  const printed: string[] = []
  const tables: unknown[][][] = []
  const code = await marketCommand.run({
    args,
    stdout: { write: (text) => printed.push(text) },
    stderr: { write: (text) => printed.push(text) },
    printTable: (headings, rows) =>
      void tables.push([[...headings], ...rows.map((row) => [...row])]),
    printFailure: ({ error }) => {
      printed.push(error?.code ?? '')
      return 65
    },
    call: (tool, input) => world.call(tool, input, { caller: operator() }),
  })
  return { code, tables, printed: printed.join('') }
}

describe('surehand market', () => {
  test('vendors: by category and area, each once after two imports', async () => {
    const { tables } = await run('vendors', '--category', 'pharmacy', '--area', 'Kimironko')
    expect(tables[0]?.slice(1).map(([, name, phone, sells]) => [name, phone, sells])).toEqual([
      ['Kimironko Community Pharmacy', '***001', 'pharmacy'],
      ['Pharmacie Ubuzima Bwiza', '***002', 'pharmacy'],
      ['Pharmacie du Marché', '***003', 'pharmacy'],
    ])
  })

  test('requests, and the timeline of one, without a whole phone number', async () => {
    const { tables, code } = await run('requests')
    expect(code).toBe(0)
    const id = String(tables[0]?.[1]?.[0])
    const timeline = await run('request', id)
    expect(timeline.tables).toHaveLength(3)
    expect(timeline.tables[0]?.[1]?.[0]).toBe(id)
    expect(JSON.stringify([tables, timeline.tables])).not.toMatch(/\d{9,}/)
  })

  test('consents, of one state and as JSON', async () => {
    const { printed, code } = await run('consent', '--state', 'granted', '--json')
    const { data } = JSON.parse(printed) as { data: { consents: readonly { state: string }[] } }
    expect([code, new Set(data.consents.map(({ state }) => state))]).toEqual([
      0,
      new Set(['granted']),
    ])
  })

  test.each([[['bogus']], [['request']], [['vendors', '--colour', 'red']], [[]]])(
    '%j prints the usage',
    async (args) => {
      const { code, printed } = await run(...args)
      expect([code, printed]).toEqual([2, expect.stringContaining('surehand market requests')])
    },
  )

  test('a request that does not exist is reported as every command does', async () => {
    expect(await run('request', 'none')).toMatchObject({
      code: 65,
      printed: 'TOOL_RESOURCE_NOT_FOUND',
    })
  })
})

test('no agent may look at all requests, or import vendors', async () => {
  const agent = { ...AGENT, tenant: world.tenant }
  for (const tool of ['list_requests', 'list_vendors', 'list_consents']) {
    const { error } = await world.call(`marketplace.${tool}`, {}, { caller: agent })
    expect(error?.code).toMatch(/^TOOL_(?:CAPABILITY|ROLE|ACCESS|ATTRIBUTE|PERMISSION|NOT_FOUND)/)
  }
})

test('an import does not undo an opt-out', async () => {
  const [vendor] = DEMO_VENDORS
  if (vendor === undefined) throw new Error('There is a vendor.')
  await world.receive({
    ...{ kind: 'message', id: 'wamid.stop', from: vendor.phone, at: world.clock.now() },
    ...{ type: 'text', text: 'STOP' },
  })
  const { sector, ...rest } = vendor
  await world.data(
    'marketplace.import_vendors',
    { vendors: [{ ...rest, area: sector }] },
    { key: 'third', caller: operator() },
  )
  const { tables } = await run('vendors', '--category', 'pharmacy', '--area', 'Kimironko')
  expect(tables[0]?.[1]?.at(-1)).toBe('opted out')
})
