import { fakeClock } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  definePack,
  definePort,
  defineTool,
  memoryStores,
  type Outcome,
  type Runtime,
  type Stores,
  sameKey,
  type Tool,
  ToolError,
} from '@surehand/core'
import { foreignSchemas } from '@surehand/json-schema'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { compositeFromData } from './composite-from-data.ts'
import { programSchema } from './program-form.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}

type Bookings = {
  readonly put: (args: {
    readonly what: string
    readonly idempotencyKey: string
  }) => Promise<{ readonly id: string }>
}
const bookingsPort = definePort<Bookings>('bookings', { put: sameKey({ validFor: '1h' }) })

let done: string[]
let reads: string[]
let stores: Stores

beforeEach(() => {
  done = []
  reads = []
  stores = memoryStores()
})

const bookings: Bookings = {
  put: async ({ what, idempotencyKey }) => {
    if (what.endsWith('broken'))
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'There is no such thing.')
    done.push(what)
    return { id: idempotencyKey }
  },
}

const about = { title: 'A tool', category: 'custom', description: 'Does something.' } as const
const write = { effect: 'writes.hotels', reversible: true, idempotency: 'caller' } as const

const find = defineTool({
  ...about,
  id: 'hotels.find',
  input: z.object({ city: z.string() }),
  output: z.object({ offers: z.array(z.object({ id: z.string(), price: z.number() })) }),
  contract: { effect: 'read' },
  execute: async ({ input }) => {
    reads.push(input.city)
    const offer = (id: string, price: number) => ({ id: `${input.city}/${id}`, price })
    return { offers: input.city === 'Nowhere' ? [] : [offer('cheap', 80), offer('dear', 300)] }
  },
})
const book = defineTool({
  ...about,
  id: 'hotels.book',
  input: z.object({ offer: z.string(), guest: z.string() }),
  output: z.object({ booking: z.string() }),
  contract: write,
  ports: { bookings: bookingsPort },
  execute: async ({ input, ports, idempotencyKey }) => {
    await ports.bookings.put({ what: `${input.guest} in ${input.offer}`, idempotencyKey })
    return { booking: `b-${input.offer}` }
  },
})
const cancel = defineTool({
  ...about,
  id: 'hotels.cancel',
  input: z.object({ booking: z.string() }),
  output: z.object({}),
  contract: write,
  ports: { bookings: bookingsPort },
  execute: async ({ input, ports, idempotencyKey }) => {
    await ports.bookings.put({ what: `not ${input.booking}`, idempotencyKey })
    return {}
  },
})
const tools = [find, book, cancel] as readonly Tool[]

const bed = {
  id: 'book',
  if: {
    all: [
      { $ref: 'found.offers.0', exists: true },
      { $ref: 'found.offers.0.price', lessThan: { $ref: 'input.most' } },
    ],
  },
  tool: 'hotels.book',
  input: { offer: { $ref: 'found.offers.0.id' }, guest: { $ref: 'input.guest' } },
  undo: { tool: 'hotels.cancel', input: { booking: { $ref: 'answer.booking' } } },
}

const trip = {
  id: 'trip.plan',
  title: 'Plan a trip',
  description: 'Finds a bed in each city, asks, and books.',
  input: {
    type: 'object',
    properties: {
      guest: { type: 'string' },
      cities: { type: 'array', items: { type: 'string' } },
      last: { type: 'string', default: 'home' },
      most: { type: 'number', default: 100 },
    },
    required: ['guest', 'cities'],
  },
  output: {
    type: 'object',
    properties: { beds: {}, last: { type: ['string', 'null'] }, home: { type: 'array' } },
    required: ['beds', 'last', 'home'],
  },
  contract: { effect: 'writes.hotels', timeout: '30s' },
  steps: [
    {
      id: 'look',
      parallel: {
        there: [
          {
            id: 'cities',
            each: { $ref: 'input.cities' },
            as: 'city',
            itemId: 'city',
            steps: [{ id: 'find', tool: 'hotels.find', input: { city: { $ref: 'city' } } }],
          },
        ],
        home: [{ id: 'find', tool: 'hotels.find', input: { city: 'Home' } }],
      },
    },
    {
      id: 'sure',
      ask: {
        question: { $text: 'Book {input.cities.0} for {input.guest}?' },
        schema: { enum: ['yes', 'no'] },
        shows: 'yes',
      },
    },
    {
      id: 'go',
      choose: [
        {
          if: { $ref: 'steps.sure', equals: 'yes' },
          steps: [
            {
              id: 'beds',
              each: { $ref: 'steps.look.there' },
              as: 'found',
              atMost: 1,
              steps: [bed],
            },
          ],
        },
        { steps: [{ id: 'why', ask: { question: 'Why not?', schema: { type: 'string' } } }] },
      ],
    },
    {
      id: 'last',
      if: { $ref: 'steps.sure', equals: 'yes' },
      tool: 'hotels.book',
      input: { offer: { $ref: 'input.last' }, guest: { $ref: 'input.guest' } },
    },
  ],
  answer: {
    beds: { $ref: 'steps.go' },
    last: { $ref: 'steps.last.booking' },
    home: { $ref: 'steps.look.home.offers' },
  },
}

function makeTool(form: unknown): { readonly tool: Tool; readonly warnings: readonly string[] } {
  return compositeFromData(form, {
    toolOf: (id) => tools.find((tool) => tool.id === id),
    schemas: foreignSchemas(),
  })
}

/** A new process on the same stores, with the program read from its data again. */
function open(form: unknown): Runtime {
  return createRuntime({
    packs: [definePack({ name: 'p', tools: [...tools, makeTool(form).tool] })],
    stores,
    providers: { bookings },
  })
}

const run = (runtime: Runtime, input: unknown, tool = 'trip.plan'): Promise<Outcome> =>
  runtime.call({ tool, input, caller: ann, surface: 'test', idempotencyKey: 'k' })

async function answerOf(
  runtime: Runtime,
  outcome: Outcome,
  answer: unknown,
): Promise<Outcome | undefined> {
  if (outcome.status !== 'asking')
    throw new Error(outcome.status === 'failed' ? outcome.error.message : outcome.status)
  await runtime.questions.answer(ann, outcome.question.id, {
    answer,
    digest: outcome.question.digest,
  })
  return runtime.answer(ann, outcome.facts.callId)
}

const input = { guest: 'Ann', cities: ['Rome', 'Nowhere', 'Oslo'] }

test('does its steps in order and at once, asks, and goes on after a restart, each step once', async () => {
  expect(makeTool(trip).warnings).toEqual([])
  const asking = await run(open(trip), input)
  expect(asking).toMatchObject({
    status: 'asking',
    question: { asks: 'Book Rome for Ann?', draft: '"yes"' },
  })
  expect(await answerOf(open(trip), asking, 'yes')).toMatchObject({
    status: 'done',
    data: {
      beds: [{ booking: 'b-Rome/cheap' }, null, { booking: 'b-Oslo/cheap' }],
      last: 'b-home',
      home: [{ id: 'Home/cheap' }, { id: 'Home/dear' }],
    },
  })
  expect(reads.toSorted()).toEqual(['Home', 'Nowhere', 'Oslo', 'Rome'])
  expect(done).toEqual(['Ann in Rome/cheap', 'Ann in Oslo/cheap', 'Ann in home'])
  expect(await run(open(trip), input)).toMatchObject({ status: 'done', source: 'replayed' })
  expect(done).toHaveLength(3)
})

test('chooses the other way, over several restarts; what was skipped is null', async () => {
  const asking = await run(open(trip), input)
  const why = await answerOf(open(trip), asking, 'no')
  expect(why).toMatchObject({ status: 'asking', question: { asks: 'Why not?', path: 'go/why' } })
  expect(await answerOf(open(trip), why as Outcome, 'rain')).toMatchObject({
    status: 'done',
    data: { beds: 'rain', last: null },
  })
  expect(done).toEqual([])
})

test('takes back what it did when a later step fails, the last first', async () => {
  const asking = await run(open(trip), { ...input, last: 'broken' })
  expect(await answerOf(open(trip), asking, 'yes')).toMatchObject({
    status: 'failed',
    error: {
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { undone: [{ step: 'go/beds/2/book' }, { step: 'go/beds/0/book' }] },
    },
  })
  expect(done.slice(2)).toEqual(['not b-Oslo/cheap', 'not b-Rome/cheap'])
})

test('has a place for each step, also where items have one name or one that is no place', async () => {
  const long = 'x'.repeat(300)
  const runtime = open(trip)
  const asking = await run(runtime, {
    guest: 'Ann',
    cities: ['Rome', 'Rome', 'a/~b', '', long, 'Rome #1'],
  })
  expect(asking.status).toBe('asking')
  const tree = await runtime.runTree(ann, asking.facts.callId)
  expect(tree?.steps.map(({ path }) => path).toSorted()).toEqual(
    [
      'look/home/find',
      ...['3', 'Rome', 'Rome #1', 'Rome #1 #5', 'a__b', `${'x'.repeat(80)} #4`].map(
        (name) => `look/there/cities/${name}/find`,
      ),
      'sure',
    ].toSorted(),
  )
})

test('is a tool like others: it is called by a program, and requires an approval', async () => {
  const inner = {
    ...trip,
    id: 'trip.inner',
    contract: { effect: 'writes.hotels', approval: 'Plan it for {input.guest}?' },
  }
  const innerTool = makeTool(inner).tool
  const outer = {
    id: 'trip.outer',
    title: 'Plan for Ann',
    description: 'Plans a trip for Ann.',
    input: { type: 'object', properties: {} },
    contract: { effect: 'writes.hotels' },
    steps: [{ id: 'plan', tool: 'trip.inner', input: { guest: 'Ann', cities: [] } }],
    answer: { $ref: 'steps.plan.beds' },
  }
  const all = [...tools, innerTool]
  const { tool } = compositeFromData(outer, {
    toolOf: (id) => all.find((one) => one.id === id),
    schemas: foreignSchemas(),
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [...all, tool] })],
    stores,
    providers: { bookings },
  })
  const pending = await run(runtime, {}, 'trip.outer')
  if (pending.status !== 'pending') throw new Error(pending.status)
  expect(pending.approval.asks).toBe('Plan it for Ann?')
  await runtime.approvals.decide(ann, pending.approval.id, {
    verdict: 'approve',
    digest: pending.approval.digest,
  })
  const asking = await runtime.answer(ann, pending.facts.callId)
  expect(asking).toMatchObject({ status: 'asking', question: { asks: 'Book  for Ann?' } })
  await answerOf(runtime, asking as Outcome, 'yes')
  await expect
    .poll(async () => runtime.answer(ann, pending.facts.callId))
    .toMatchObject({ status: 'done', data: [] })
  expect(done).toEqual(['Ann in home'])
})

test('a question that nobody answers takes what else it says', async () => {
  const clock = fakeClock()
  stores = memoryStores({ clock })
  const form = {
    id: 'trip.ask',
    title: 'Ask',
    description: 'Asks.',
    input: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
    output: { type: 'string' },
    contract: { effect: 'read' },
    steps: [
      {
        id: 'colour',
        ask: {
          question: 'Colour?',
          schema: { type: 'string' },
          from: 'anyone',
          timeout: '5s',
          otherwise: { $ref: 'input.colour' },
        },
      },
    ],
    answer: { $text: 'It is {steps.colour}.' },
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [makeTool(form).tool] })],
    stores,
    clock,
  })
  const asked = await run(runtime, { colour: 'blue' }, 'trip.ask')
  expect(asked).toMatchObject({ status: 'asking', question: { from: 'anyone' } })
  runtime.start()
  await clock.advance(10_000)
  expect(await runtime.answer(ann, asked.facts.callId)).toMatchObject({
    status: 'done',
    data: 'It is blue.',
  })
  await runtime.stop()
})

test('conditions hold as they read', async () => {
  const values = { a: 1, b: 'x', list: [1, { k: 2 }], none: null }
  const cases: readonly (readonly [object, boolean])[] = [
    [{ $ref: 'input.a', equals: 1 }, true],
    [{ $ref: 'input.list.1', equals: { k: 2 } }, true],
    [{ $ref: 'input.a', equals: { $ref: 'input.b' } }, false],
    [{ $ref: 'input.a', not: 1 }, false],
    [{ $ref: 'input.a', in: { $ref: 'input.list' } }, true],
    [{ $ref: 'input.b', in: ['y'] }, false],
    [{ $ref: 'input.a', lessThan: 1 }, false],
    [{ $ref: 'input.a', moreThan: 0 }, true],
    [{ $ref: 'input.none', moreThan: -1 }, false],
    [{ $ref: 'input.none', exists: true }, false],
    [{ $ref: 'input.gone', exists: false }, true],
    [
      {
        all: [
          { $ref: 'input.a', equals: 1 },
          { $ref: 'input.b', equals: 'y' },
        ],
      },
      false,
    ],
    [
      {
        any: [
          { $ref: 'input.a', equals: 2 },
          { $ref: 'input.b', equals: 'x' },
        ],
      },
      true,
    ],
    [{ not: { $ref: 'input.a', equals: 2 } }, true],
  ]
  const form = {
    id: 'trip.if',
    title: 'If',
    description: 'Does what may be done.',
    input: { type: 'object' },
    contract: { effect: 'read' },
    steps: cases.map(([condition], index) => ({
      id: `s${index}`,
      if: condition,
      tool: 'hotels.find',
      input: { city: `${index}` },
    })),
    answer: null,
  }
  await run(open(form), values, 'trip.if')
  expect(reads.map(Number)).toEqual(cases.flatMap(([, holds], index) => (holds ? [index] : [])))
})

test('the form is published as JSON Schema', () => {
  const schema = foreignSchemas().compile(programSchema())
  expect(schema.parse(trip)).toMatchObject({ ok: true })
  expect(schema.parse({ ...trip, steps: [{ id: 'a' }] })).toMatchObject({ ok: false })
})
