import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRuntime, definePack, memoryStores } from '@surehand/core'
import { type ForeignSource, foreignPort, type PackGiven } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { foreignSchemas } from '@surehand/json-schema'
import { mountedTools, mountMcp } from '@surehand/mounted-mcp'
import { travelPack } from '@surehand/travel'
import { expect, test } from 'vitest'

// The published server is started and lists its tools. It is not called: that would reach the real
// site. The call is answered in the shape of the server instead.

// Its package has no main file, only a program.
const program = fileURLToPath(
  new URL(
    '../../../surfaces/mcp/clients/node_modules/@openbnb/mcp-server-airbnb/dist/index.js',
    import.meta.url,
  ),
)
const answer = readFileSync(
  new URL('../../../packs/travel/src/stays/fixtures/airbnb-search.json', import.meta.url),
  'utf8',
)

test('the listing of @openbnb/mcp-server-airbnb is mounted, and stays are searched with it', async () => {
  const mount = mountMcp({
    name: 'airbnb',
    // Otherwise it fetches the robots.txt of the site when it starts.
    transport: {
      kind: 'stdio',
      command: process.execPath,
      args: [program, '--ignore-robots-txt'],
    },
    environment: process.env,
    clock: systemClock(),
  })
  const port = foreignPort('airbnb', { keysValidFor: '24h' })
  const { tools, refused } = mountedTools(await mount.tools(), {
    name: 'airbnb',
    port,
    schemas: foreignSchemas(),
    overlay: { airbnb_search: { effect: 'read' }, airbnb_listing_details: { effect: 'read' } },
  })
  await mount.close()
  expect(refused).toEqual([])
  expect(tools.map(({ id }) => id).toSorted()).toEqual([
    'airbnb.airbnb_listing_details',
    'airbnb.airbnb_search',
  ])

  const inputs: unknown[] = []
  const read: ForeignSource['read'] = async ({ input }) => {
    inputs.push(input)
    return { content: [{ type: 'text', text: answer }] }
  }
  const stores = memoryStores()
  const runtime = createRuntime({
    packs: [definePack({ name: 'airbnb', tools })],
    stores,
    providers: { airbnb: { read, write: read, writeOnce: read } },
  })
  const settings: Readonly<Record<string, string>> = {
    TRAVEL_STAYS_MCP_TOOL: 'airbnb.airbnb_search',
  }
  const given: Partial<PackGiven> = {
    secret: () => undefined,
    setting: (name) => settings[name],
    values: stores.values,
    now: Date.now,
    call: (request) => runtime.call(request),
  }
  // Stays need no more than this.
  const providers = travelPack.providers?.(given as PackGiven) ?? {}
  const { search } = providers.travelStays as {
    readonly search: (query: object, signal: AbortSignal) => Promise<{ listings: unknown[] }>
  }
  const query = {
    tenant: 'home',
    userId: 'ann',
    location: 'Lisbon',
    checkin: '2027-05-10',
    checkout: '2027-05-17',
    guests: 2,
    priceMax: 200,
  }
  const found = await search(query, new AbortController().signal)
  expect(found.listings).toHaveLength(2)
  // What the provider sends passes the schema that the server declares.
  expect(inputs).toEqual([
    {
      location: 'Lisbon',
      checkin: '2027-05-10',
      checkout: '2027-05-17',
      adults: 2,
      maxPrice: 200,
    },
  ])
})
