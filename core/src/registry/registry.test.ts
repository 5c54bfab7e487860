import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define/tool.ts'
import { createRegistry, wireName } from './registry.ts'

function toolOf(id: string, aliases: readonly string[] = []) {
  const described = {
    id,
    aliases,
    title: id,
    category: 'custom',
    description: 'A tool.',
    input: z.object({}),
    output: z.null(),
  } as const
  return defineTool({ ...described, contract: { effect: 'read' }, execute: async () => null })
}

const book = toolOf('booking.bookSlot', ['book_slot', 'v1.book'])
const cancel = toolOf('booking.cancelSlot')
const add = toolOf('cart.addLine')
const registry = createRegistry([cancel, add, book])

describe('a tool is found', () => {
  test.each(['booking.bookSlot', 'booking__bookSlot', 'book_slot', 'v1.book'])('as %s', (name) => {
    expect(registry.find(name)).toBe(book)
  })

  test.each([
    '',
    'booking',
    'bookSlot',
    'booking.bookslot',
    'booking_bookSlot',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
  ])('not as %j', (name) => {
    expect(registry.find(name)).toBeUndefined()
  })

  test('though it is called like what every object has', () => {
    const odd = ['constructor', '__proto__', 'toString'].map((id) => toolOf(id))
    const names = createRegistry(odd)
    for (const tool of odd) expect(names.find(tool.id)).toBe(tool)
  })
})

test('tools are listed in the order of their ids, whatever order they came in', () => {
  expect(registry.list()).toEqual([book, cancel, add])
})

test('a dotted id travels with two underscores for each dot', () => {
  expect(wireName('habits.tracker.add')).toBe('habits__tracker__add')
  expect(wireName('plain-name_1')).toBe('plain-name_1')
})

describe('a name that is taken is refused at the start', () => {
  test.each([
    [
      'the same id in the same version',
      toolOf('note.add'),
      toolOf('note.add'),
      'note.add@1.0.0 is registered already.',
    ],
    [
      'an alias that is an id',
      toolOf('note.add'),
      toolOf('note.put', ['note.add']),
      'The name "note.add" of note.put is taken by note.add.',
    ],
    [
      'two equal aliases',
      toolOf('note.add', ['n']),
      toolOf('note.put', ['n']),
      'The name "n" of note.put is taken by note.add.',
    ],
    [
      'an id that is the wire name of another',
      toolOf('note.add'),
      toolOf('note__add'),
      'The name "note__add" of note__add is taken by note.add.',
    ],
    [
      'two ids with one wire name',
      toolOf('a_.b'),
      toolOf('a._b'),
      'The name "a___b" of a._b is taken by a_.b.',
    ],
  ])('%s', (_what, first, second, message) => {
    expect(() => createRegistry([first, second])).toThrow(new TypeError(message))
  })

  test.each([
    ['an id', toolOf('note.add'), toolOf('Note.Add')],
    ['an alias', toolOf('note.add'), toolOf('note.put', ['NOTE.ADD'])],
    ['another form of the same letters', toolOf('note.add', ['ﬁnd']), toolOf('note.put', ['find'])],
  ])('%s that differs only by case or by form', (_what, first, second) => {
    expect(() => createRegistry([first, second])).toThrow(TypeError)
  })

  test('but a tool may repeat its own name', () => {
    expect(() =>
      createRegistry([toolOf('note.add', ['note.add', 'note__add', 'x', 'x'])]),
    ).not.toThrow()
  })
})

// every dialect must be able to carry it
test('an id whose name on the wire would be longer than 64 characters is refused', () => {
  expect(() => createRegistry([toolOf(`${'a'.repeat(31)}.${'b'.repeat(31)}`)])).not.toThrow()
  expect(() => createRegistry([toolOf(`${'a'.repeat(31)}.${'b'.repeat(32)}`)])).toThrow(TypeError)
})

describe('a mistyped name suggests', () => {
  test.each([
    ['booking.bookSlt', 'booking.bookSlot'],
    ['bookSlot', 'booking.bookSlot'],
    ['BOOKING_BOOKSLOT', 'booking.bookSlot'],
    ['booking.book_slot', 'booking.bookSlot'],
    ['cart.addLines', 'cart.addLine'],
    ['addline', 'cart.addLine'],
  ])('instead of %s: %s', (mistyped, meant) => {
    expect(registry.similar(mistyped)[0]).toBe(meant)
  })

  test.each(['', '...', 'weather.forecast', '😀', 'x'.repeat(100_000)])(
    'of nothing for %.20j',
    (name) => {
      expect(registry.similar(name)).toEqual([])
    },
  )

  test('of three at most, the nearest first', () => {
    const many = createRegistry(
      ['note.a1', 'note.a12', 'note.a123', 'note.b1', 'note.b2'].map((id) => toolOf(id)),
    )
    expect(many.similar('note.a1')).toHaveLength(3)
    expect(many.similar('note.a1')[0]).toBe('note.a1')
  })
})
