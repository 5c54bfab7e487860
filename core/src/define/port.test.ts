import { describe, expect, test } from 'vitest'
import { definePort, lookUp, sameKey, unrecoverable } from './port.ts'

type Method = (args: never, signal: AbortSignal) => Promise<unknown>

test('a port lists every method with its class, and is frozen', () => {
  const port = definePort<{ book: Method; find: Method }>('booking', {
    book: sameKey({ validFor: '24h' }),
    find: 'read',
  })
  expect(port.name).toBe('booking')
  expect([...port.methods]).toEqual([
    ['book', { kind: 'sameKey', validForMs: 86_400_000 }],
    ['find', 'read'],
  ])
  expect(Object.isFrozen(port)).toBe(true)
})

test('a port with reads alone has no effects', () => {
  expect(definePort<{ find: Method }>('search', { find: 'read' }).hasEffects).toBe(false)
  expect(definePort<{ send: Method }>('mail', { send: unrecoverable }).hasEffects).toBe(true)
})

describe('the recovery classes', () => {
  test('sameKey says how long the provider remembers our key', () => {
    expect(sameKey({ validFor: '30m' })).toEqual({ kind: 'sameKey', validForMs: 1_800_000 })
  })

  test('lookUp says whom to ask, and how long a request may still be under way', () => {
    expect(lookUp({ method: 'find' })).toEqual({
      kind: 'lookUp',
      method: 'find',
      settleMs: undefined,
    })
    expect(lookUp({ method: 'find', settle: '30s' })).toEqual({
      kind: 'lookUp',
      method: 'find',
      settleMs: 30_000,
    })
  })

  test('none says that the outcome cannot be known', () => {
    expect(unrecoverable).toEqual({ kind: 'none' })
  })
})

describe('a look-up must be a read of the same port', () => {
  const trouble =
    'booking.book looks itself up with "find", which is not a read method of the port.'

  test('one that is not there is refused', () => {
    expect(() =>
      definePort<{ book: Method }>('booking', { book: lookUp({ method: 'find' }) }),
    ).toThrow(trouble)
  })

  test('one that has an effect of its own is refused', () => {
    const methods = { book: lookUp({ method: 'find' }), find: unrecoverable }
    expect(() => definePort<{ book: Method; find: Method }>('booking', methods)).toThrow(trouble)
  })
})
