import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenContract, brokenRequest, without } from '../mutants/broken.ts'

const REFUSED = ['TOOL_INVALID_INPUT', 'failed', null]

/** A surface that parses the text itself, and changes it a little on the way. */
function parsing(breaks: string, change: (value: unknown) => unknown): Mutant {
  return brokenRequest(breaks, (request) =>
    request.json === undefined
      ? { ...request, input: change(request.input) }
      : { ...without(request, 'json'), input: change(JSON.parse(request.json)) },
  )
}

/** Every text of a value through a function. */
function texts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  return typeof value === 'object' && value !== null
    ? { payload: texts(Object.values(value)[0], change) }
    : value
}

function nestObject(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return { payload: value }
}

/**
 * Copies member by member, so that `__proto__` sets a prototype, and then the inherited members
 * too.
 */
function copyMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) copy[name] = member
  const flat: Record<string, unknown> = {}
  for (const name in copy) flat[name] = copy[name]
  return flat
}

/** What two parsers could read differently, and what no parser should be fed. */
export const input: readonly Behaviour[] = [
  {
    id: 'input.duplicate-keys',
    sentence: 'an object with a duplicate key is refused at any depth',
    rules: '§1',
    needs: ['json'],
    mutant: parsing('a surface that lets the last of two keys win', (value) => value),
    async run(world) {
      for (const json of [
        '{"payload":1,"payload":2}',
        '{"payload":{"a":1,"\\u0061":2}}',
        '{"payload":[{"b":{"c":1,"c":1}}]}',
      ]) {
        const answer = await world.call({ tool: 'input.any', json })
        expect([codeOrStatus(answer), answer.status, answer.data], json).toEqual(REFUSED)
      }
      expect(
        codeOrStatus(
          await world.call({ tool: 'input.any', json: '{"payload":{"a":"b:c\\":{","d":{"a":1}}}' }),
        ),
      ).toBe('success')
    },
  },
  {
    id: 'input.lone-surrogates',
    sentence: 'a lone surrogate is refused, in strings and in keys',
    rules: '§1',
    needs: ['json'],
    mutant: parsing('a surface that repairs lone surrogates', (value) =>
      texts(value, (text) => text.toWellFormed()),
    ),
    async run(world) {
      const answer = await world.call({ tool: 'input.any', json: '{"payload":"a\\ud800b"}' })
      expect([codeOrStatus(answer), answer.status, answer.data]).toEqual(REFUSED)
      expect(
        codeOrStatus(await world.call({ tool: 'input.any', input: { payload: '\udc00' } })),
      ).toBe('TOOL_INVALID_INPUT')
      expect(
        codeOrStatus(await world.call({ tool: 'input.any', json: '{"payload":{"\\ud800":1}}' })),
      ).toBe('TOOL_INVALID_INPUT')
      expect(
        codeOrStatus(await world.call({ tool: 'input.any', json: '{"payload":"\\ud83d\\ude00"}' })),
      ).toBe('success')
    },
  },
  {
    id: 'input.big-integers',
    sentence: 'an integer that would lose digits is refused',
    rules: '§1',
    needs: ['json'],
    mutant: parsing('a surface that writes large numbers as text', (value) =>
      texts({ payload: String(Object.values(value as object)[0]) }, String),
    ),
    async run(world) {
      for (const number of [
        '9007199254740993',
        '-9007199254740993',
        '1e400',
        '123456789012345678901234567890',
      ])
        expect(
          codeOrStatus(await world.call({ tool: 'input.any', json: `{"payload":${number}}` })),
          number,
        ).toBe('TOOL_INVALID_INPUT')
      for (const number of ['9007199254740991', '-9007199254740991', '0.1', '1e-7'])
        expect(
          codeOrStatus(await world.call({ tool: 'input.any', json: `{"payload":${number}}` })),
          number,
        ).toBe('success')
    },
  },
  {
    id: 'input.depth-of-text',
    sentence: 'a JSON text nested 100,000 levels deep is refused without a crash',
    rules: '§1',
    needs: ['json'],
    mutant: parsing('a surface that truncates deep values', () => ({ payload: 'cut off' })),
    async run(world) {
      for (const depth of [65, 100_000]) {
        const answer = await world.call({
          tool: 'input.any',
          json: `{"payload":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        })
        expect([codeOrStatus(answer), answer.status, answer.data], String(depth)).toEqual(REFUSED)
      }
      expect(
        codeOrStatus(
          await world.call({
            tool: 'input.any',
            json: `{"payload":${'['.repeat(60)}${']'.repeat(60)}}`,
          }),
        ),
      ).toBe('success')
    },
  },
  {
    id: 'input.depth-of-value',
    sentence: 'a value nested 100,000 levels deep, or cyclic, is refused without a crash',
    rules: '§1',
    needs: ['value'],
    mutant: parsing('a surface that truncates deep values', () => ({ payload: 'cut off' })),
    async run(world) {
      const endless: Record<string, unknown> = {}
      endless.payload = endless
      for (const value of [nestObject(65), nestObject(100_000), endless])
        expect(codeOrStatus(await world.call({ tool: 'input.any', input: value }))).toBe(
          'TOOL_INVALID_INPUT',
        )
    },
  },
  {
    id: 'input.many-keys',
    sentence: 'more than ten thousand keys are refused',
    rules: '§1',
    needs: [],
    mutant: parsing('a surface that drops some keys', () => ({ payload: {} })),
    async run(world) {
      const keys = (count: number) => ({
        payload: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
      })
      expect(codeOrStatus(await world.call({ tool: 'input.any', input: keys(10_001) }))).toBe(
        'TOOL_INVALID_INPUT',
      )
      expect(codeOrStatus(await world.call({ tool: 'input.any', input: keys(9_000) }))).toBe(
        'success',
      )
    },
  },
  {
    id: 'input.too-large',
    sentence: 'more bytes than a tool takes are refused, counted as bytes and not as characters',
    rules: '§1',
    needs: ['json'],
    mutant: brokenContract('input.small', 'a contract that takes anything', () => ({
      maxInputBytes: 1e9,
    })),
    async run(world) {
      const inputs = [
        { json: JSON.stringify({ payload: 'x'.repeat(1_000) }) },
        { json: JSON.stringify({ payload: '€'.repeat(400) }) },
        { input: { payload: 'x'.repeat(1_001) } },
        { input: { payload: '€'.repeat(400) } },
        { input: { payload: Array(600).fill(10) } },
      ]
      for (const given of inputs)
        expect(
          codeOrStatus(await world.call({ tool: 'input.small', ...given })),
          JSON.stringify(given).slice(0, 40),
        ).toBe('TOOL_INPUT_TOO_LARGE')
      expect(
        codeOrStatus(
          await world.call({ tool: 'input.small', input: { payload: 'x'.repeat(900) } }),
        ),
      ).toBe('success')
      expect(
        codeOrStatus(
          await world.call({
            tool: 'input.any',
            json: JSON.stringify({ payload: 'x'.repeat(1024 * 1024) }),
          }),
        ),
      ).toBe('TOOL_INPUT_TOO_LARGE')
    },
  },
  {
    id: 'input.prototype-keys',
    sentence: 'no input reaches a prototype: a __proto__ key is never read as a field',
    rules: '§1',
    needs: ['json'],
    mutant: parsing('a surface that copies an input member by member', copyMembers),
    async run(world) {
      const inputs = [
        '{"__proto__":{"name":"evil","count":1}}',
        '{"constructor":{"prototype":{"name":"evil"}}}',
        '{"prototype":{"name":"evil"}}',
      ]
      for (const json of inputs)
        expect((await world.call({ tool: 'input.kinds', json })).status, json).toBe('failed')
      expect(
        codeOrStatus(
          await world.call({ tool: 'input.any', json: '{"payload":{"__proto__":{"admin":true}}}' }),
        ),
      ).toBe('TOOL_INVALID_INPUT')
      expect(({} as { readonly admin?: boolean }).admin).toBeUndefined()
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'input.plain-values',
    sentence: 'a value that is not plain JSON is refused and not read as an empty object',
    rules: '§1',
    needs: ['value'],
    mutant: parsing('a surface that writes and reads values once', (value) => ({
      payload: JSON.stringify(Object.values(value as object)[0]) ?? 'none',
    })),
    async run(world) {
      const odd = [
        new Date(1),
        new Map([['a', 1]]),
        new Set([1]),
        1n,
        Symbol('s'),
        () => 1,
        Number.NaN,
        new Uint8Array(2),
        Object.create({ inherited: 1 }),
      ]
      for (const payload of odd)
        expect(
          codeOrStatus(await world.call({ tool: 'input.any', input: { payload } })),
          Object.prototype.toString.call(payload),
        ).toBe('TOOL_INVALID_INPUT')
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'input.not-json',
    sentence: 'a text that is not JSON, or not an object, is refused',
    rules: '§1',
    needs: ['json'],
    mutant: brokenRequest('a surface that wraps what it cannot read', (request) => ({
      ...without(request, 'json'),
      input: { payload: request.json },
    })),
    async run(world) {
      for (const json of [
        '',
        '{',
        '{"payload":1,}',
        "{'payload':1}",
        '[1]',
        '"text"',
        'null',
        '7',
        '{"payload":1}{}',
        '\ufeff{"payload":1} x',
      ])
        expect(codeOrStatus(await world.call({ tool: 'input.any', json })), json).toBe(
          'TOOL_INVALID_INPUT',
        )
    },
  },
]
