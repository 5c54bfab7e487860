import { defineTool, isToolError, type Tool } from '@surehand/core'
import { foreignSchemas } from '@surehand/json-schema'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compositeFromData, type FromData } from './composite-from-data.ts'

const about = { title: 'A tool', category: 'custom', description: 'Does something.' } as const
const never = async (): Promise<never> => Promise.reject(new Error('it is only looked at'))

const find = defineTool({
  ...about,
  id: 'hotels.find',
  input: z.object({
    city: z.string().min(2),
    stars: z.enum(['three', 'four']).optional(),
    most: z.number().int().max(50).optional(),
  }),
  output: z.object({
    offers: z.array(z.object({ id: z.string(), price: z.number() })),
    note: z.string().optional(),
  }),
  contract: { effect: 'read' },
  execute: never,
})
const book = defineTool({
  ...about,
  id: 'hotels.book',
  input: z.object({
    offer: z.string(),
    guest: z.object({ name: z.string(), age: z.number().optional() }),
    idempotencyKey: z.string(),
  }),
  output: z.object({ booking: z.string() }),
  contract: { effect: 'writes.hotels', reversible: true, idempotency: 'caller' },
  execute: never,
})
const send = defineTool({
  ...about,
  id: 'mail.send',
  input: z.object({ to: z.string(), text: z.string() }),
  output: z.object({ sent: z.boolean() }),
  contract: { effect: 'writes.mail', reversible: false, idempotency: 'caller' },
  execute: never,
})
// a list of lists of itself
const Tree: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})
const tree = defineTool({
  ...about,
  id: 'tree.read',
  input: z.object({ tree: Tree.optional() }),
  output: Tree,
  contract: { effect: 'read' },
  execute: never,
})
const loose = defineTool({
  ...about,
  id: 'loose.read',
  input: z.object({}),
  output: z.object({ city: z.string() }),
  contract: { effect: 'read', outputValidation: 'lenient' },
  execute: never,
})

const tools = new Map<string, Tool>(
  [find, book, send, tree, loose].map((tool) => [tool.id, tool as Tool]),
)

const form = {
  id: 'trip.plan',
  title: 'Plan a trip',
  description: 'Plans a trip.',
  input: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      name: { type: 'string' },
      note: { type: 'string' },
      n: { type: 'integer', default: 1 },
    },
    required: ['city', 'name'],
  },
  contract: { effect: 'writes.hotels' },
  answer: null,
}
const found = { id: 'find', tool: 'hotels.find', input: { city: { $ref: 'input.city' } } }
const guest = { name: { $ref: 'input.name' } }

function makeTool(more: object): FromData {
  return compositeFromData(
    { ...form, ...more },
    { toolOf: (id) => tools.get(id), schemas: foreignSchemas() },
  )
}

/** What is wrong, as `field error`. */
function flaws(more: object): readonly string[] {
  try {
    makeTool(more)
  } catch (error) {
    if (!isToolError(error)) throw error
    expect(error.code).toBe('TOOL_INVALID_INPUT')
    const { validation_errors: found } = error.details as {
      validation_errors: { field: string; error: string }[]
    }
    return found.map((flaw) => `${flaw.field} ${flaw.error}`)
  }
  return []
}

const flawsOf = (...steps: object[]): readonly string[] => flaws({ steps })
const warningsOf = (...steps: object[]): readonly string[] => makeTool({ steps }).warnings

describe('the form', () => {
  test.each([
    [
      'a step of no kind',
      [{ id: 'a' }],
      'steps[0] is no step: it has one of tool, ask, parallel, each, choose, beside its id',
    ],
    [
      'a step of two kinds',
      [{ ...found, choose: [] }],
      'steps[0] is no step: it has one of tool, ask, parallel, each, choose, beside its id',
    ],
    [
      'a field too many',
      [{ ...found, retry: 3 }],
      'steps[0].retry is not a field that belongs here: leave it out',
    ],
    [
      'a field too few',
      [{ id: 'a', ask: { question: 'Well?' } }],
      'steps[0].ask.schema is missing: expected record',
    ],
    [
      'an id with a slash',
      [{ ...found, id: 'a/b' }],
      'steps[0].id is no name: write letters, digits, "_" and "-", at most 64, the first no digit',
    ],
    [
      'a length of time that is none',
      [{ id: 'a', ask: { question: 'Well?', schema: {}, timeout: '0s' } }],
      'steps[0].ask.timeout is no length of time: write 250ms, 1.5s, 15m or 2d',
    ],
    [
      'a condition that is none',
      [{ ...found, if: { $ref: 'input.n', equals: 1, not: 2 } }],
      'steps[0].if is no condition: write { "$ref": … } with one of equals, not, in, lessThan, moreThan, exists, or one of all, any, not',
    ],
    ['no steps', [], 'steps Too small: expected array to have >=1 items'],
    [
      'two steps of one id',
      [found, found],
      'steps[1].id is "find", which another step before it has: give each an id of its own',
    ],
  ])('%s is refused', (_, steps, flaw) => {
    expect(flaws({ steps })).toEqual([flaw])
  })

  test('reports all problems at once', () => {
    const expected = flaws({ id: 'no id', description: ' ', extra: 1, steps: [{ id: 'a' }] })
    expect(expected).toEqual([
      expect.stringMatching(/^id expected namespace/),
      expect.stringMatching(/^description is what a model reads/),
      expect.stringMatching(/^steps\[0\] is no step/),
      expect.stringMatching(/^extra is not a field/),
    ])
  })

  test('has an end, in number and in depth', () => {
    const deep = (levels: number): object =>
      levels === 0 ? found : { id: 'in', parallel: { a: [deep(levels - 1)] } }
    expect(flawsOf(deep(15))).toEqual([])
    expect(flawsOf(deep(16))).toEqual([expect.stringContaining('more than 16 deep')])
    const many = Array.from({ length: 250 }, (_, index) => ({ ...found, id: `s${index}` }))
    const loop = (id: string, more: readonly object[] = []) => ({
      id,
      choose: [{ steps: [...many, ...more] }],
    })
    expect(flawsOf(loop('one'), loop('two'))).toEqual([
      expect.stringContaining('502, and 500 is the end'),
    ])
  })

  test('a schema that is none is refused where it stands', () => {
    const expected = flaws({
      input: { type: 'objekt' },
      output: { $ref: '#/nowhere' },
      steps: [{ id: 'a', ask: { question: '?', schema: { type: 5 } } }],
    })
    expect(expected.map((flaw) => flaw.split(' ')[0])).toEqual([
      'input',
      'output',
      'steps[0].ask.schema',
    ])
    expect(
      flaws({ input: { type: 'string' }, steps: [{ ...found, input: { city: 'Rome' } }] }),
    ).toEqual([expect.stringContaining('input.type must be "object"')])
  })
})

describe('a reference', () => {
  const ref = ($ref: string) => ({ ...found, id: 'at', input: { city: { $ref } } })
  test.each([
    [
      'to a later step',
      [ref('steps.find.note'), found],
      '"steps.find.note", which is not done yet then: put it before this step',
    ],
    ['to itself', [ref('steps.at.note')], '"steps.at.note", which is not done yet then'],
    [
      'to an unknown step',
      [found, ref('steps.fund.note')],
      '"steps.fund.note", and there is no steps.fund: there is input and steps.find',
    ],
    [
      'to a sibling branch',
      [{ id: 'both', parallel: { one: [found], two: [ref('steps.find.note')] } }],
      'which is in a branch or a loop of its own',
    ],
    [
      'into a loop from outside',
      [{ id: 'all', each: ['a'], as: 'x', steps: [found] }, ref('steps.find.note')],
      'which is in a branch or a loop of its own',
    ],
    [
      'to a loop variable out of its loop',
      [{ id: 'all', each: ['a'], as: 'x', steps: [found] }, ref('x')],
      'there is no x: there is input and steps.all',
    ],
    [
      'to a field there is not',
      [found, ref('steps.find.offers.0.prise')],
      'which is not there: steps.find.offers.0 has id and price',
    ],
    [
      'by name into a list',
      [found, ref('steps.find.offers.price')],
      'steps.find.offers is a list, whose items are named by numbers, as in steps.find.offers.0',
    ],
    ['into a text', [ref('input.city.x')], 'input.city has no fields; refer to input.city itself'],
    ['to a field the input strips', [ref('input.town')], 'input has city, name, note and n'],
    [
      'with brackets',
      [found, ref('steps.find.offers[0].id')],
      'an item is named by its number behind a dot',
    ],
    ['to an answer outside of an undo', [ref('answer.x')], 'there is no answer'],
  ])('%s is refused', (_, steps, words) => {
    expect(flaws({ steps })).toEqual([expect.stringContaining(words)])
  })

  test('is found in texts, lists and objects', () => {
    const step = {
      id: 's',
      tool: 'mail.send',
      input: { to: { $text: 'x {input.a}' }, text: { $ref: 'input.b' } },
    }
    expect(
      flawsOf(step, { id: 'all', each: [{ $ref: 'input.c' }], as: 'x', steps: [found] }).map(
        (flaw) => flaw.split(' ')[0],
      ),
    ).toEqual(['steps[0].input.to', 'steps[0].input.text', 'steps[1].each[0]'])
  })

  test('and a text stand alone, and braces are closed', () => {
    expect(flawsOf({ ...found, input: { city: { $ref: 'input.city', x: 1 } } })).toEqual([
      expect.stringContaining('it stands alone'),
    ])
    expect(flawsOf({ ...found, input: { city: { $text: 'a { b' } } })).toEqual([
      expect.stringContaining('write {{ or }}'),
    ])
    expect(warningsOf({ ...found, input: { city: 'To {input.city}' } })).toEqual([
      expect.stringContaining('write { "$text": … }'),
    ])
    expect(warningsOf({ ...found, input: { city: { $text: 'a {{ b }}' } } })).toEqual([])
  })

  test('goes through schemas that refer to themselves', () => {
    const read = { id: 'tree', tool: 'tree.read', input: {} }
    const use = ($ref: string) => ({ id: 's', tool: 'tree.read', input: { tree: { $ref } } })
    expect(warningsOf(read, use('steps.tree'))).toEqual([])
    expect(
      warningsOf(read, {
        ...use('steps.tree.children.0'),
        if: { $ref: 'steps.tree.children.0', exists: true },
      }),
    ).toEqual([])
    expect(flawsOf(read, use('steps.tree.children.0.children.1.nam'))).toEqual([
      expect.stringContaining('has name and children'),
    ])
    expect(flawsOf(read, use('steps.tree.children'))).toEqual([
      expect.stringContaining('an array that tree.read never takes here'),
    ])
  })

  test('to a step that may have been skipped is a warning, and none behind a guard', () => {
    const maybe = { ...found, if: { $ref: 'input.n', moreThan: 1 } }
    const use = {
      id: 'all',
      each: { $ref: 'steps.find.offers' },
      as: 'offer',
      steps: [{ id: 'b', tool: 'hotels.book', input: { offer: { $ref: 'offer.id' }, guest } }],
    }
    expect(warningsOf(maybe, use)).toEqual([])
    const send = {
      id: 's',
      tool: 'mail.send',
      input: { to: 'me', text: { $ref: 'steps.find.offers.0.id' } },
    }
    const expected = [
      expect.stringContaining('"steps.find.offers.0.id", which may be missing and is null then'),
    ]
    expect(warningsOf(maybe, send)).toEqual(expected)
    expect(warningsOf(found, send)).toEqual(expected)
    expect(warningsOf(maybe, { ...send, if: { $ref: 'steps.find', exists: true } })).toEqual(
      expected,
    )
    expect(
      warningsOf(maybe, { ...send, if: { $ref: 'steps.find.offers.0', exists: true } }),
    ).toEqual([])
    expect(
      warningsOf(maybe, {
        id: 'c',
        choose: [{ if: { all: [{ $ref: 'steps.find.offers.0', exists: true }] }, steps: [send] }],
      }),
    ).toEqual([])
    expect(
      warningsOf(maybe, {
        id: 'c',
        choose: [
          {
            if: {
              any: [
                { $ref: 'steps.find.offers.0', exists: true },
                { $ref: 'input.n', equals: 1 },
              ],
            },
            steps: [send],
          },
        ],
      }),
    ).toEqual(expected)
  })

  test('to a field that has a default is there, if the default is a value of it', () => {
    const text = (more: object) => ({
      type: 'object',
      properties: { x: { type: 'string', ...more } },
    })
    const use = { id: 's', tool: 'mail.send', input: { to: 'me', text: { $ref: 'input.x' } } }
    expect(makeTool({ input: text({ default: 'a' }), steps: [use] }).warnings).toEqual([])
    expect(makeTool({ input: text({ default: 5 }), steps: [use] }).warnings).toHaveLength(1)
    expect(makeTool({ input: text({}), steps: [use] }).warnings).toHaveLength(1)
  })

  test('to a number may be too large', () => {
    expect(warningsOf({ ...found, input: { city: 'Rome', most: { $ref: 'input.n' } } })).toEqual([
      expect.stringMatching(
        /"input.n" \(a whole number\), of which not every value.*a whole number with .*maximum 50/,
      ),
    ])
    expect(warningsOf({ ...found, input: { city: { $ref: 'input.note' } } })).toHaveLength(1)
  })
})

describe('an input', () => {
  const booking = (input: unknown) => ({ id: 'book', tool: 'hotels.book', input })
  test.each([
    [
      'without a required field',
      [booking({ guest })],
      'steps[0].input.offer is missing: hotels.book requires it',
    ],
    [
      'without a required field, of texts alone',
      [booking({ guest: { name: 'Ann' } })],
      'steps[0].input.offer is required',
    ],
    [
      'without a required field further in',
      [booking({ offer: 'o', guest: { age: { $ref: 'input.n' } } })],
      'steps[0].input.guest.name is missing',
    ],
    [
      'with an unknown field',
      [booking({ offer: 'o', guest, room: 1 })],
      'steps[0].input.room is not a field that hotels.book takes: it takes offer and guest',
    ],
    [
      'with an unknown field, of texts alone',
      [booking({ offer: 'o', guest: { name: 'Ann', nick: 'A' } })],
      'steps[0].input.guest.nick is not a field that hotels.book takes: it takes name and age',
    ],
    [
      'with the key, which is the runtime’s',
      [booking({ offer: 'o', guest, idempotencyKey: 'k' })],
      'steps[0].input.idempotencyKey is not a field',
    ],
    ['with a text that is too short', [{ ...found, input: { city: 'X' } }], 'steps[0].input.city'],
    [
      'with a value that is not listed',
      [{ ...found, input: { city: { $ref: 'input.city' }, stars: 'five' } }],
      'steps[0].input.stars',
    ],
    [
      'with a number for a text',
      [{ ...found, input: { city: { $ref: 'input.n' } } }],
      'steps[0].input.city refers to "input.n", which is a whole number that hotels.find never takes here: it takes a string',
    ],
    [
      'with a text for an object',
      [booking({ offer: 'o', guest: { $text: '{input.name}' } })],
      'steps[0].input.guest is a string that hotels.book never takes here',
    ],
    [
      'that is no object',
      [booking([{ $ref: 'input.name' }])],
      'steps[0].input is an array that hotels.book never takes here: it takes an object',
    ],
    [
      'to a tool there is not',
      [{ id: 'a', tool: 'hotels.fly', input: {} }],
      'steps[0].tool is "hotels.fly", and there is no such tool',
    ],
  ])('%s is refused', (_, steps, words) => {
    expect(flaws({ steps })).toEqual([expect.stringContaining(words)])
  })

  test('that fits for sure has no warning', () => {
    expect(
      warningsOf(found, booking({ offer: { $text: 'offer of {input.city}' }, guest })),
    ).toEqual([])
  })

  test('listed values that have none in common can’t fit; that have some may', () => {
    const askFor = (values: readonly string[]) => ({
      id: 'q',
      ask: { question: 'Stars?', schema: { enum: values } },
    })
    const use = { ...found, input: { city: 'Rome', stars: { $ref: 'steps.q' } } }
    expect(flawsOf(askFor(['one', 'two']), use)).toEqual([
      expect.stringContaining('it takes "three" or "four"'),
    ])
    expect(warningsOf(askFor(['two', 'three']), use)).toEqual([
      expect.stringContaining('not every value'),
    ])
    expect(warningsOf(askFor(['three']), use)).toEqual([])
  })

  test('from a tool that does not keep to its schema is a warning', () => {
    expect(
      warningsOf(
        { id: 'l', tool: 'loose.read', input: {} },
        { ...found, input: { city: { $text: '{steps.l.city}' } } },
      ),
    ).toHaveLength(1)
    const mail = { id: 's', tool: 'mail.send', input: { to: 'me', text: { $ref: 'steps.l.city' } } }
    expect(warningsOf({ id: 'l', tool: 'loose.read', input: {} }, mail)).toEqual([
      expect.stringContaining('does not hold its answers against its schema'),
    ])
  })

  test('of an undo may refer to the answer', () => {
    const undo = ($ref: string) => ({
      ...booking({ offer: 'o', guest }),
      undo: { tool: 'mail.send', input: { to: 'me', text: { $ref } } },
    })
    expect(warningsOf(undo('answer.booking'))).toEqual([])
    expect(flawsOf(undo('answer.id'))).toEqual([
      'steps[0].undo.input.text refers to "answer.id", which is not there: answer has booking',
    ])
    expect(
      warningsOf({ ...found, undo: { tool: 'mail.send', input: { to: 'me', text: 'x' } } }),
    ).toEqual([expect.stringContaining('is never used')])
  })
})

describe('a question', () => {
  const ask = (more: object) => ({
    id: 'q',
    ask: { question: 'Go on?', schema: { type: 'boolean' }, ...more },
  })
  test.each([
    ['that is no text', ask({ question: 5 }), 'steps[0].ask.question'],
    ['whose draft is no answer', ask({ shows: 'yes' }), 'steps[0].ask.shows'],
    [
      'whose default is no answer',
      ask({ otherwise: { $ref: 'input.city' } }),
      'steps[0].ask.otherwise',
    ],
  ])('%s is refused', (_, step, field) => {
    expect(flawsOf(step).map((flaw) => flaw.split(' ')[0])).toEqual([field])
  })
})

describe('a loop, a choice, a condition', () => {
  const inner = { id: 'b', tool: 'hotels.book', input: { offer: { $ref: 'x.id' }, guest } }
  const each = (more: object) => ({
    id: 'all',
    each: { $ref: 'steps.find.offers' },
    as: 'x',
    steps: [inner],
    ...more,
  })
  const when = (condition: object) => ({ ...found, if: condition })
  test.each([
    [
      'a loop over a text',
      [found, each({ each: { $ref: 'input.city' } })],
      'steps[1].each is a string, never an array',
    ],
    [
      'a loop whose name is taken',
      [found, each({ as: 'input' })],
      'steps[1].as is "input", which means something here already',
    ],
    [
      'an item id from elsewhere',
      [found, each({ itemId: 'input.city' })],
      'steps[1].itemId refers to "input.city", which is not in the item: write x.x',
    ],
    ['an item id there is not', [found, each({ itemId: 'x.sku' })], 'x has id and price'],
    [
      'a choice that hides others',
      [{ id: 'c', choose: [{ steps: [found] }, { steps: [found] }] }],
      'steps[0].choose[0] has no condition',
    ],
    ['an empty parallel', [{ id: 'p', parallel: {} }], 'steps[0].parallel has no branch'],
    [
      'a condition on nothing',
      [when({ $ref: 'input.x', exists: true })],
      'steps[0].if.$ref refers to "input.x"',
    ],
    [
      'a condition on nothing, further in',
      [when({ not: { any: [{ $ref: 'input.x', equals: 1 }] } })],
      'steps[0].if.not.any[0].$ref',
    ],
    [
      'a text that is less',
      [when({ $ref: 'input.city', lessThan: 3 })],
      'steps[0].if.$ref is a string: only numbers',
    ],
    [
      'a list that is none',
      [when({ $ref: 'input.city', in: 'Rome' })],
      'steps[0].if.in is no list',
    ],
  ])('%s is refused', (_, steps, words) => {
    expect(flaws({ steps }).filter((flaw) => flaw.includes(words))).toHaveLength(1)
  })

  test('a condition that can never hold is a warning', () => {
    expect(warningsOf(when({ $ref: 'input.city', equals: 3 }))).toEqual([
      expect.stringContaining('with what it can never be'),
    ])
    expect(warningsOf(when({ $ref: 'input.city', equals: 'Rome' }))).toEqual([])
  })

  test('answers what its last steps answer', () => {
    const use = ($ref: string) => ({
      id: 's',
      tool: 'mail.send',
      input: { to: 'me', text: { $ref } },
    })
    expect(flawsOf(found, each({}), use('steps.all'))).toEqual([
      expect.stringContaining('is an array that mail.send never takes'),
    ])
    expect(flawsOf({ id: 'p', parallel: { left: [found] } }, use('steps.p.left.offer'))).toEqual([
      expect.stringContaining('steps.p.left has offers and note'),
    ])
    expect(flawsOf({ id: 'c', choose: [{ steps: [found] }] }, use('steps.c.offer'))).toEqual([
      expect.stringContaining('steps.c has offers and note'),
    ])
  })
})

describe('a program', () => {
  test('that reads calls nothing that writes', () => {
    const booking = { id: 'b', tool: 'hotels.book', input: { offer: 'o', guest } }
    const contract = { effect: 'read' }
    expect(flaws({ contract, steps: [booking] })).toEqual([
      expect.stringContaining('steps[0].tool is hotels.book, which writes (writes.hotels)'),
    ])
    expect(
      flaws({
        contract,
        steps: [{ id: 'in', choose: [{ steps: [{ ...found, undo: booking }] }] }],
      }),
    ).not.toEqual([])
    expect(makeTool({ contract, steps: [found] }).tool.contract).toMatchObject({
      isWrite: false,
      effect: 'read',
    })
    expect(
      flaws({ contract: { effect: 'read', approval: 'Go?', reversible: true }, steps: [found] }),
    ).toHaveLength(2)
  })

  test('is as lasting as what it calls', () => {
    const mail = { id: 's', tool: 'mail.send', input: { to: 'me', text: 'x' } }
    expect(makeTool({ steps: [mail] }).tool.contract.reversible).toBe(false)
    expect(makeTool({ steps: [found] }).tool.contract.reversible).toBe(true)
    expect(flaws({ contract: { effect: 'writes.mail', reversible: true }, steps: [mail] })).toEqual(
      [expect.stringContaining("mail.send can't be undone")],
    )
  })

  test('gives an answer that fits its output', () => {
    const output = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const answer = (template: unknown) => flaws({ steps: [found], output, answer: template })
    expect(answer({ name: { $ref: 'input.name' } })).toEqual([])
    expect(answer({ name: { $ref: 'input.n' } })).toEqual([
      expect.stringContaining('answer.name refers to "input.n", which is a whole number'),
    ])
    expect(answer({ nam: { $ref: 'input.name' } })).toHaveLength(2)
    expect(answer({ $ref: 'steps.x' })).toEqual([expect.stringContaining('there is no steps.x')])
    expect(makeTool({ steps: [found], answer: { $ref: 'steps.find' } }).warnings).toEqual([])
  })

  test('never calls itself, also not through others', () => {
    const parts = (more: ReadonlyMap<string, Tool>) => ({
      toolOf: (id: string) => more.get(id) ?? tools.get(id),
      schemas: foreignSchemas(),
    })
    const steps = (tool: string) => [
      { id: 'go', tool, input: { city: { $ref: 'input.city' }, name: { $ref: 'input.name' } } },
    ]
    const first = compositeFromData(
      { ...form, id: 'trip.a', steps: [found] },
      parts(new Map()),
    ).tool
    const second = compositeFromData(
      { ...form, id: 'trip.b', steps: steps('trip.a') },
      parts(new Map([['trip.a', first]])),
    ).tool
    const known = new Map([
      ['trip.a', first],
      ['trip.b', second],
    ])
    const again = (tool: string) => () =>
      compositeFromData(
        { ...form, id: 'trip.a', version: '1.0.1', steps: steps(tool) },
        parts(known),
      )
    expect(again('trip.a')).toThrow('steps lead back to trip.a itself')
    expect(again('trip.b')).toThrow('steps lead back to trip.a itself, by trip.b, trip.a')
    expect(again('trip.c')).toThrow('there is no such tool')
  })

  test('reads back what it wants, of its input alone', () => {
    const approval = (text: string) => ({
      contract: { effect: 'writes.hotels', approval: text },
      steps: [found],
    })
    expect(
      makeTool(approval('Go to {input.city}, {input.note}?')).tool.contract.approval?.asks({
        city: 'Rome',
      }),
    ).toBe('Go to Rome, ?')
    expect(flaws(approval('Go to {steps.find}?'))).toEqual([
      expect.stringContaining('contract.approval refers to "steps.find"'),
    ])
  })

  test('that only asks is interactive, one that calls is composite', () => {
    expect(
      makeTool({ steps: [{ id: 'q', ask: { question: 'Go?', schema: { type: 'boolean' } } }] }).tool
        .kind,
    ).toBe('interactive')
    expect(makeTool({ steps: [found] }).tool).toMatchObject({
      kind: 'composite',
      isDeferred: false,
      version: '1.0.0',
      category: 'custom',
    })
  })
})
