import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  ALL_ON,
  type DiscoveryDatabase,
  type DiscoveryWorld,
  type DiscoveryWorldOptions,
  openDiscoveryDatabase,
  openDiscoveryWorld,
} from '../../testing/discovery-world.ts'
import { makePrivateTexts } from '../../testing/private-texts.ts'

let database: Promise<DiscoveryDatabase> | undefined
afterAll(async () => (await database)?.close())
const opened: DiscoveryWorld[] = []
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})
async function open(options: Partial<DiscoveryWorldOptions> = {}): Promise<DiscoveryWorld> {
  database ??= openDiscoveryDatabase()
  const world = await openDiscoveryWorld({ ...options, database: await database })
  opened.push(world)
  return world
}

const WEB = 'discovery.web_search_items'
const MAPS = 'discovery.maps_places_items'
const SOCIAL = 'discovery.social_profile_items'
const NEED = { post_id: 'p1', need: 'amoxicillin 500mg', location_text: 'Kimironko' }

test('a web search finds pages with OpenAI and stores them as items', async () => {
  const world = await open()
  const answer = await world.call(WEB, NEED)
  expect(answer).toMatchObject({
    status: 'success',
    data: {
      engine: 'openai',
      feed_items: [
        {
          feed_item_id: expect.any(String),
          source: 'openai_web_search',
          title: 'Kimironko Pharmacy',
          snippet: 'Kimironko Pharmacy has amoxicillin and other antibiotics, +250 788 000 101.',
          url: 'https://kimironko-pharmacy.example/amoxicillin',
          phone: '+250 788 000 101',
        },
        { title: 'Remera Chemist', url: 'https://remera-chemist.example/' },
        { url: 'https://www.linkedin.com/company/kimironko-pharmacy-example' },
      ],
    },
  })
  expect(
    await world.query(
      'select count(*) as n from external_feed_items where tenant = ?',
      world.tenant,
    ),
  ).toEqual([{ n: 3 }])
})

test('Gemini answers where it is asked for, with the pages it is grounded on', async () => {
  const world = await open()
  expect((await world.call(WEB, { ...NEED, engine: 'gemini', max_results: 1 })).data).toEqual({
    engine: 'gemini',
    feed_items: [
      {
        feed_item_id: expect.any(String),
        source: 'gemini_google_grounding',
        title: 'kimironko-pharmacy.example',
        snippet: '**Kimironko Pharmacy** has amoxicillin and other antibiotics, +250 788 000 101.',
        url: 'https://kimironko-pharmacy.example/amoxicillin',
        phone: '+250 788 000 101',
        confidence: 0.9,
      },
    ],
  })
})

test.each(['openai', 'gemini'] as const)(
  'social search with %s keeps profiles only',
  async (engine) => {
    const world = await open()
    const input = { post_id: 'p1', need: 'wedding decoration', engine }
    expect((await world.call(SOCIAL, input)).data).toMatchObject({
      engine,
      feed_items: expect.arrayContaining([
        expect.objectContaining({
          source: 'social',
          url: 'https://www.instagram.com/kigali.decor.example',
        }),
      ]),
    })
    const rows = await world.query(
      'select distinct source from external_feed_items where tenant = ?',
      world.tenant,
    )
    expect(rows).toEqual([{ source: 'social' }])
  },
)

test('of places only the id and the address on Google Maps are stored', async () => {
  const world = await open()
  const answer = await world.call(MAPS, { ...NEED, need: 'pharmacy', radius_km: 1 })
  expect(answer.data).toEqual({
    feed_items: [
      {
        feed_item_id: expect.any(String),
        source: 'maps_places',
        title: 'Pharmacie Kimironko',
        url: 'https://maps.google.com/?cid=ChIJemulated1',
        phone: '+250 788 000 201',
        location_text: 'KG 11 Ave, Kigali',
      },
    ],
  })
  expect(
    await world.query('select * from external_feed_items where tenant = ?', world.tenant),
  ).toMatchObject([
    {
      place_id: 'ChIJemulated1',
      url: 'https://maps.google.com/?cid=ChIJemulated1',
      title: null,
      snippet: null,
      phone: null,
      location_text: null,
    },
  ])
})

test('an address is stored once for a post and source', async () => {
  const world = await open()
  const first = await world.call(WEB, NEED)
  const second = await world.call(WEB, { ...NEED, engine: 'gemini' })
  await world.call(WEB, { ...NEED, post_id: 'p2' })
  const again = await world.call(WEB, { ...NEED, post_id: 'p2' })
  expect(
    await world.query(
      'select count(*) as n from external_feed_items where tenant = ?',
      world.tenant,
    ),
  ).toEqual([{ n: 9 }])
  const ids = (answer: typeof first) =>
    (answer.data as { feed_items: { feed_item_id: string }[] }).feed_items.map(
      (item) => item.feed_item_id,
    )
  expect(new Set([...ids(first), ...ids(second), ...ids(again)]).size).toBe(9)
})

describe('flags are off by default, and a closed flag is an answer', () => {
  const keys = { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', GOOGLE_MAPS_KEY: 'k' }
  test.each([
    [WEB, {}, 'external_discovery_disabled'],
    [SOCIAL, {}, 'external_discovery_disabled'],
    [SOCIAL, { EXTERNAL_DISCOVERY_ENABLED: 'true' }, 'social_discovery_disabled'],
    [SOCIAL, { SOCIAL_DISCOVERY_ENABLED: 'true' }, 'external_discovery_disabled'],
    [MAPS, { EXTERNAL_DISCOVERY_ENABLED: 'true' }, 'maps_enrichment_disabled'],
    [WEB, { EXTERNAL_DISCOVERY_ENABLED: '1' }, 'external_discovery_disabled'],
  ])('%s with %o', async (tool, flags, reason) => {
    const world = await open({ settings: { ...keys, ...flags } })
    expect(await world.call(tool, NEED)).toMatchObject({
      status: 'success',
      data: { feed_items: [], disabled: true, reason },
    })
    expect(world.sent()).toEqual([])
  })
})

test('without keys the engine is none, and no call is used', async () => {
  const { OPENAI_API_KEY: _, GEMINI_API_KEY: __, GOOGLE_MAPS_KEY: ___, ...flags } = ALL_ON
  const world = await open({ settings: flags })
  expect((await world.call(WEB, NEED)).data).toMatchObject({ engine: 'none', feed_items: [] })
  expect((await world.call(MAPS, NEED)).data).toMatchObject({ feed_items: [], disabled: true })
  expect(
    await world.query('select * from mk_discovery_budgets where tenant = ?', world.tenant),
  ).toEqual([])
})

test('auto uses Gemini where OpenAI has no key', async () => {
  const { OPENAI_API_KEY: _, ...settings } = ALL_ON
  const world = await open({ settings })
  expect((await world.call(WEB, NEED)).data).toMatchObject({ engine: 'gemini' })
})

describe('budgets', () => {
  test('web and social search share two calls of a post; places have two of their own', async () => {
    const world = await open()
    const reasons: unknown[] = []
    for (const tool of [WEB, SOCIAL, WEB, SOCIAL, MAPS, MAPS, MAPS]) {
      const { status, data } = await world.call(tool, NEED)
      reasons.push(status === 'success' ? (data as { reason?: string }).reason : status)
    }
    const exceeded = 'budget_exceeded'
    expect(reasons).toEqual([
      undefined,
      undefined,
      exceeded,
      exceeded,
      undefined,
      undefined,
      exceeded,
    ])
    expect(world.sent().map(({ engine }) => engine)).toEqual([
      'openai',
      'openai',
      'places',
      'places',
    ])
    expect((await world.call(WEB, { ...NEED, post_id: 'other' })).data).toMatchObject({
      engine: 'openai',
    })
  })

  test.each([
    ['0', 0],
    ['1', 1],
  ])('a budget of %s lets so many through', async (max, calls) => {
    const world = await open({ settings: { ...ALL_ON, DISCOVERY_MAX_CALLS_PER_REQUEST: max } })
    for (let at = 0; at < 3; at++) await world.call(WEB, NEED)
    expect(world.sent()).toHaveLength(calls)
  })

  test.each(['3', '-1', 'many', ''])(
    'a budget of "%s" is an error, not an open budget',
    async (max) => {
      const world = await open({ settings: { ...ALL_ON, DISCOVERY_MAX_CALLS_PER_REQUEST: max } })
      expect(await world.call(WEB, NEED)).toMatchObject({
        error: { code: 'TOOL_CONFIGURATION_ERROR' },
      })
      expect(world.sent()).toEqual([])
    },
  )

  test('four nodes at once never exceed it', async () => {
    const world = await open({ nodes: 4 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        world.call(
          at % 2 === 0 ? WEB : SOCIAL,
          { ...NEED, post_id: `p${at % 5}` },
          { node: at % 4 },
        ),
      ),
    )
    const searched = answers.filter(
      ({ data }) => (data as { engine?: string })?.engine === 'openai',
    )
    expect(answers.every(({ status }) => status === 'success')).toBe(true)
    expect(searched).toHaveLength(10)
    expect(world.sent()).toHaveLength(10)
  })
})

describe('an engine that fails', () => {
  test.each([{ kind: '429' }, { kind: '500' }, { kind: 'malformed' }, { kind: 'reset' }] as const)(
    'with $kind is followed by the other one, which takes a call too',
    async (fault) => {
      const world = await open()
      world.emulator.fail(fault, { target: { path: '/v1/responses' } })
      expect((await world.call(WEB, NEED)).data).toMatchObject({ engine: 'gemini' })
      expect((await world.call(WEB, NEED)).data).toMatchObject({ reason: 'budget_exceeded' })
    },
  )

  test('that hangs has failed after a while, and the other one answers', async () => {
    const world = await open({ engineTimeoutMs: 300 })
    world.emulator.fail({ kind: 'hang' }, { target: { path: '/v1/responses' } })
    expect((await world.call(WEB, NEED)).data).toMatchObject({ engine: 'gemini' })
  })

  test('that is slow answers in the end', async () => {
    const world = await open()
    world.emulator.fail({ kind: 'slow', delayMs: 200 })
    expect((await world.call(WEB, NEED)).data).toMatchObject({ engine: 'openai' })
  })

  test.each([
    [{ kind: '429', retryAfterSeconds: 7 }, 'TOOL_RATE_LIMIT_EXCEEDED'],
    [{ kind: '500' }, 'TOOL_EXTERNAL_SERVICE_ERROR'],
    [{ kind: 'malformed' }, 'TOOL_EXTERNAL_SERVICE_ERROR'],
    [{ kind: 'reset' }, 'TOOL_EXTERNAL_SERVICE_ERROR'],
  ] as const)('alone with %o is an error, and its call is used', async (fault, code) => {
    const world = await open()
    world.emulator.fail(fault)
    const failed = await world.call(WEB, { ...NEED, engine: 'openai' }, { key: 'k1' })
    expect(failed).toMatchObject({ error: { code } })
    const [used] = await world.query(
      'select taken from mk_discovery_budgets where tenant = ?',
      world.tenant,
    )
    expect(used).toEqual({ taken: 1 })
    // The same key may be tried again; the next request is another call.
    const again = await world.call(WEB, { ...NEED, engine: 'openai' }, { key: 'k1' })
    expect(again.data).toMatchObject({ engine: 'openai' })
    expect(
      await world.query('select taken from mk_discovery_budgets where tenant = ?', world.tenant),
    ).toEqual([{ taken: 2 }])
  })
})

test('a repeat with the same key is answered from the ledger and uses no call', async () => {
  const world = await open()
  const first = await world.call(WEB, NEED, { key: 'same' })
  expect((await world.call(WEB, NEED, { key: 'same' })).data).toEqual(first.data)
  expect(world.sent()).toHaveLength(1)
})

test('a search that may have been sent before a crash is not sent again', async () => {
  const world = await open()
  const input = {
    post_id: 'p1',
    budget: 'search',
    engine: 'openai',
    max: 2,
    ticket: 'crashed:openai',
  }
  const take = () =>
    world.nodes[0]?.call({
      tool: 'discovery.take_call',
      input,
      caller: {
        tenant: world.tenant,
        principal: 's',
        actor: 'system',
        roles: [],
        capabilities: ['marketplace.operate'],
      },
      surface: 'test',
      repeat: 'meant',
    })
  expect(await take()).toMatchObject({ data: { state: 'granted' } })
  expect(await take()).toMatchObject({ data: { state: 'interrupted' } })
  expect(
    await world.query('select taken from mk_discovery_budgets where tenant = ?', world.tenant),
  ).toEqual([{ taken: 1 }])
})

test('an agent cannot call the parts of a search', async () => {
  const world = await open()
  const input = { post_id: 'p1', budget: 'search', engine: 'openai', max: 9, ticket: 't' }
  expect((await world.call('discovery.take_call', input)).status).toBe('failed')
  expect(
    await world.query('select * from mk_discovery_budgets where tenant = ?', world.tenant),
  ).toEqual([])
})

test('no personal data of generated needs is in any byte that an engine receives', async () => {
  const world = await open()
  const texts = makePrivateTexts(30, 'discovery')
  const tools = [WEB, SOCIAL, MAPS]
  for (const [at, { text }] of texts.entries()) {
    const input = { post_id: `post_${at}`, need: text, location_text: `near ${text}`.slice(0, 300) }
    // A request that did not reach its engine left no byte to look at; another one may be made.
    const tool = tools[at % 3] as string
    if ((await world.call(tool, input)).status !== 'success') await world.call(tool, input)
  }
  const bytes = world.sent().map((request) => JSON.stringify(request))
  expect(bytes).toHaveLength(30)
  for (const [at, { phones, mails, ids }] of texts.entries()) {
    const body = bytes[at] ?? ''
    for (const secret of [...phones, ...mails, ...ids]) {
      expect(body).not.toContain(secret)
      const digits = secret.replace(/\D/g, '')
      if (digits.length >= 8) expect(body.replace(/\D/g, '')).not.toContain(digits)
    }
    expect(body).not.toContain(`post_${at}`)
  }
})

test('a need of nothing but personal data is refused before anything is sent', async () => {
  const world = await open()
  const answer = await world.call(WEB, { post_id: 'p1', need: 'Jean Claude Habimana 0788123456' })
  expect(answer).toMatchObject({ error: { code: 'TOOL_INVALID_FIELD_VALUE' } })
  expect(world.sent()).toEqual([])
})
