import type { Tool } from '@surehand/core'
import { definitionHash, foreignPort, wireName } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOUNT_LIMITS } from './limits.ts'
import { type ForeignListing, readListing } from './listing.ts'
import { type MountedTools, mountedTools } from './mounted-tools.ts'
import type { Overlay } from './overlay.ts'

const port = foreignPort('notes', { keysValidFor: '24h' })
const input = {
  type: 'object',
  properties: { text: { type: 'string', description: 'What to note.' } },
}

function listingOf(...entries: readonly unknown[]): ForeignListing {
  return readListing(entries, MOUNT_LIMITS)
}

function mountTools(listing: ForeignListing, overlay: Overlay = {}): MountedTools {
  return mountedTools(listing, { name: 'notes', port, schemas: foreignSchemas(), overlay })
}

function only(entry: object, overlay: Overlay = {}): Tool {
  const { tools, refused } = mountTools(
    listingOf({ name: 'write', description: 'Writes.', inputSchema: input, ...entry }),
    overlay,
  )
  expect(refused).toEqual([])
  const [tool] = tools
  if (tool === undefined) throw new Error('no tool')
  return tool
}

describe('a mounted tool', () => {
  test('is an irreversible write that a person confirms', () => {
    const { contract } = only({})
    expect(contract).toMatchObject({
      effect: 'writes.notes',
      reversible: false,
      idempotency: 'caller',
      outputValidation: 'lenient',
      retries: 0,
    })
    expect(contract.approval?.kind).toBe('confirm')
  })

  test('that says it destroys needs an administrator', () => {
    expect(only({ annotations: { destructiveHint: true } }).contract.approval?.kind).toBe('admin')
  })

  test('is what a person says it is', () => {
    const read = only(
      {},
      { write: { effect: 'read', timeout: '3s', permissions: { roles: ['user'] } } },
    ).contract
    expect(read).toMatchObject({
      effect: 'read',
      isWrite: false,
      timeoutMs: 3_000,
      roles: ['user'],
      approval: undefined,
    })
    const write = only(
      { annotations: { destructiveHint: true } },
      {
        write: {
          effect: 'writes.note',
          reversible: true,
          approval: 'none',
          deduplicates: true,
          retries: 2,
          limits: [{ calls: 5, per: '1m' }],
        },
      },
    ).contract
    expect(write).toMatchObject({
      effect: 'writes.note',
      reversible: true,
      approval: undefined,
      retries: 2,
    })
    expect(write.limits).toEqual([{ calls: 5, windowMs: 60_000, by: 'principal' }])
  })

  test('is not there when a person leaves it out', () => {
    const { tools, refused, notes } = mountTools(listingOf({ name: 'write', inputSchema: input }), {
      write: { leaveOut: true },
      gone: {},
    })
    expect({ tools, refused, notes }).toEqual({
      tools: [],
      refused: [{ name: 'write', reason: 'is left out by the overlay' }],
      notes: ['The overlay names "gone", which is not listed.'],
    })
  })

  test('is no looser for any hint of its server', () => {
    const hint = fc.option(
      fc.oneof(fc.boolean(), fc.constantFrom(0, 1, 'true', 'false', null, {}, [])),
      { nil: undefined },
    )
    const hints = fc.record(
      {
        readOnlyHint: hint,
        destructiveHint: hint,
        idempotentHint: hint,
        openWorldHint: hint,
        title: fc.string(),
        effect: fc.constant('read'),
      },
      { requiredKeys: [] },
    )
    const further = fc.record(
      {
        effect: fc.constant('read'),
        approval: fc.constant('none'),
        reversible: fc.constant(true),
        contract: fc.anything(),
        _meta: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(hints, further, (annotations, entry) => {
        const { contract } = only({ ...entry, annotations })
        expect(contract).toMatchObject({ effect: 'writes.notes', isWrite: true, reversible: false })
        expect(contract.approval?.kind).toBe(
          annotations.destructiveHint === true ? 'admin' : 'confirm',
        )
      }),
      { numRuns: 300 },
    )
  })

  test('never takes its contract from a prototype', () => {
    const { tools } = mountTools(
      listingOf({ name: 'toString', inputSchema: input }, { name: 'valueOf', inputSchema: input }),
    )
    expect(tools.map(({ contract }) => contract.approval?.kind)).toEqual(['confirm', 'confirm'])
  })
})

describe('a definition hash', () => {
  const notes = ['one', 'two', 'three'].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: input,
  }))
  const hashes = (entries: readonly object[]) =>
    new Map(mountTools(listingOf(...entries)).tools.map((tool) => [tool.id, definitionHash(tool)]))
  const changeTool = (entry: object) => {
    const before = hashes(notes)
    const after = hashes(notes.map((one) => (one.name === 'two' ? { ...one, ...entry } : one)))
    return [...before].filter(([id, hash]) => after.get(id) !== hash).map(([id]) => id)
  }

  test.each([
    ['description', { description: 'Does two,' }],
    ['title', { title: 'Two' }],
    [
      'description of a field',
      {
        inputSchema: {
          ...input,
          properties: { text: { type: 'string', description: 'What to note!' } },
        },
      },
    ],
    ['output schema', { outputSchema: { type: 'object' } }],
    ['hint that it destroys', { annotations: { destructiveHint: true } }],
    ['invisible character', { description: 'Does two.\u200b' }],
  ])("changes with its tool's %s, and no other's does", (_what, entry) => {
    expect(changeTool(entry)).toEqual(['notes.two'])
  })

  test('hangs neither on the order of the list nor on the order of keys', () => {
    const turned = notes
      .toReversed()
      .map(({ name, description, inputSchema: { type, properties } }) => ({
        inputSchema: { properties, type },
        description,
        name,
      }))
    expect(hashes(turned)).toEqual(hashes(notes))
  })
})

describe('a hostile list', () => {
  const good = { name: 'good', description: 'Works.', inputSchema: input }
  const deep = (levels: number, inner: object = { type: 'string' }): object =>
    levels === 0 ? inner : { type: 'object', properties: { a: deep(levels - 1, inner) } }
  const nots = (levels: number): object => (levels === 0 ? {} : { not: nots(levels - 1) })
  const bomb = (levels: number): object =>
    levels === 0
      ? { type: 'string' }
      : { anyOf: [{ $ref: `#/$defs/b${levels - 1}` }, { $ref: `#/$defs/b${levels - 1}` }] }
  const bombs = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [`b${level}`, bomb(level)]),
  )

  test.each([
    [
      'a description of a million characters',
      { description: 'x'.repeat(1_000_000) },
      'has a description of 1000000 characters',
    ],
    [
      'a description that is no text',
      { description: { text: 'x' } },
      'has a description that is no text',
    ],
    [
      'a schema that is too large',
      { inputSchema: { type: 'object', description: 'x'.repeat(300_000) } },
      'of at most 262144',
    ],
    ['a schema that is too deep for JSON', { inputSchema: deep(10_000) }, 'nested deeper than 48'],
    [
      'a schema that is too deep to check',
      { inputSchema: { type: 'object', ...nots(40) } },
      'is nested deeper than 32',
    ],
    [
      'a schema of nothing but references',
      { inputSchema: { type: 'object', $ref: '#' } },
      'The schema is refused',
    ],
    [
      'a schema that doubles itself',
      { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/b39' } }, $defs: bombs } },
      'The schema is refused',
    ],
    [
      'a schema elsewhere',
      {
        inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
      },
      'not in this document',
    ],
    [
      'a pattern that cannot run in bounded time',
      { inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(a)\\1' } } } },
      'The schema is refused',
    ],
    ['a schema of a list', { inputSchema: { type: 'array' } }, 'not one of an object'],
    ['no schema', { inputSchema: undefined }, 'not one of an object'],
    [
      'an output schema that is none',
      { outputSchema: { type: 'nonsense' } },
      'The schema is refused',
    ],
    [
      'a field __proto__',
      { inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') },
      '__proto__',
    ],
    [
      'a field that is invisible',
      { inputSchema: { type: 'object', properties: { 'a\u200b': {} } } },
      'invisible characters',
    ],
    [
      'a value that is invisible',
      { inputSchema: { type: 'object', properties: { a: { enum: ['\u{e0041}'] } } } },
      'invisible characters',
    ],
    [
      'a default that is invisible',
      { inputSchema: { type: 'object', properties: { a: { default: { b: ['\u202e'] } } } } },
      'invisible characters',
    ],
    ['a name that is invisible', { name: 'ba\u200bd' }, 'invisible characters'],
    ['the name __proto__', { name: '__proto__' }, 'has a reserved name'],
    ['the name constructor', { name: 'constructor' }, 'has a reserved name'],
    ['a name of Surehand', { name: 'surehand.answer' }, 'has a reserved name'],
    ['a name without end', { name: 'n'.repeat(5_000) }, 'has a name of 5000 characters'],
    ['no name', { name: '' }, 'has no name'],
    [
      'a task as its only way',
      { execution: { taskSupport: 'required' } },
      'can only be called as a task',
    ],
  ])('loses the tool with %s and keeps the rest', (_what, entry, reason) => {
    const { tools, refused } = mountTools(listingOf({ ...good, name: 'bad', ...entry }, good))
    expect(tools.map(({ id }) => id)).toEqual(['notes.good'])
    expect(refused).toEqual([{ name: expect.any(String), reason: expect.stringContaining(reason) }])
  })

  test('of ten thousand tools brings a thousand, and a reason for every other one', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ ...good, name: `tool${index}` }))
    const { tools, refused } = mountTools(listingOf(...many))
    expect({ tools: tools.length, refused: refused.length }).toEqual({
      tools: 1_000,
      refused: 9_000,
    })
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(
      new Set(['is beyond the 1000 tools that one server may have']),
    )
  })

  test('may not take more than its bytes', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      ...good,
      name: `tool${index}`,
      inputSchema: { type: 'object', title: 'x'.repeat(200_000) },
    }))
    const { tools, refused } = listingOf(...many)
    expect({ tools: tools.length, refused: refused.length }).toEqual({ tools: 41, refused: 59 })
  })

  test('makes invisible characters in its texts visible', () => {
    const words = 'Adds.\u202e\u200b\u{e0041}'
    const shown = 'Adds.⟨U+202E⟩⟨U+200B⟩⟨U+E0041⟩'
    const tool = only({
      title: words,
      description: words,
      inputSchema: {
        type: 'object',
        description: words,
        properties: { description: { type: 'string', title: words } },
      },
      outputSchema: { type: 'object', $defs: { title: { description: words } } },
    })
    expect([tool.title, tool.description]).toEqual([shown, shown])
    expect(tool.input.toJson('input')).toEqual({
      type: 'object',
      description: shown,
      properties: { description: { type: 'string', title: shown } },
    })
    expect(tool.output.toJson('output')).toEqual({
      type: 'object',
      $defs: { title: { description: shown } },
    })
  })

  test('with names that read alike gives each an id of its own, whatever their order', () => {
    const names = [
      'Add',
      'add',
      'ＡＤＤ',
      'a.b',
      'a/b',
      'a_b',
      'plain',
      '9lives',
      '中',
      'x'.repeat(100),
      'x'.repeat(101),
    ]
    const entries = names.map((name) => ({ ...good, name }))
    const idsOf = (all: readonly object[]) =>
      mountTools(listingOf(...all)).tools.map(({ id }) => id)
    const ids = idsOf(entries)
    expect(new Set(ids.map((id) => wireName(id).normalize('NFKC').toLowerCase())).size).toBe(
      names.length,
    )
    for (const id of ids) expect(wireName(id)).toMatch(/^notes__[A-Za-z_][A-Za-z0-9_-]{0,56}$/)
    expect(ids).toContain('notes.plain')
    expect(new Set(idsOf(entries.toReversed()))).toEqual(new Set(ids))
  })

  test('with one name twice loses both', () => {
    const { tools, refused } = mountTools(
      listingOf(
        good,
        { ...good, name: 'twice' },
        { ...good, name: 'twice', description: 'Other.' },
      ),
    )
    expect(tools.map(({ id }) => id)).toEqual(['notes.good'])
    expect(refused).toEqual([{ name: 'twice', reason: 'is listed 2 times' }])
  })
})

describe('the name of a mount', () => {
  test.each(['', 'Notes', '1notes', 'no.tes', 'surehand', 'tools', 'n'.repeat(25), '__proto__'])(
    '%j is refused',
    (name) => {
      expect(() => mountedTools(listingOf(), { name, port, schemas: foreignSchemas() })).toThrow(
        TypeError,
      )
    },
  )
})
