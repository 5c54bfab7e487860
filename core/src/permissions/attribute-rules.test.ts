import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AttributeLeaf, type AttributeRule, ruleTrouble } from '../call/attribute-rule.ts'
import type { Caller } from '../call/caller.ts'
import { defineTool } from '../define/tool.ts'
import { type Attributes, attributesOf, evaluate } from './attribute-rules.ts'
import { explainRule } from './explain-gaps.ts'

const of =
  (values: Readonly<Record<string, unknown>>): Attributes =>
  (name) =>
    Object.hasOwn(values, name) ? values[name] : undefined

describe('a leaf', () => {
  test.each<[AttributeLeaf['op'], unknown, unknown, boolean]>([
    ['eq', 'a', 'a', true],
    ['eq', 1, '1', false],
    ['eq', 0, false, false],
    ['eq', null, null, true],
    ['eq', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    ['eq', { a: 1 }, { a: 1, b: 2 }, false],
    ['eq', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['eq', [1, 2], [2, 1], false],
    ['eq', [], {}, false],
    ['eq', { toString: 1 }, {}, false],
    ['ne', 'a', 'b', true],
    ['ne', 'a', 'a', false],
    ['ne', 1, '1', true],
    ['in', 'a', ['a', 'b'], true],
    ['in', 'c', ['a', 'b'], false],
    ['in', 1, ['1'], false],
    ['in', { a: 1 }, [{ a: 1 }], true],
    ['not_in', 'c', ['a', 'b'], true],
    ['not_in', 'a', ['a', 'b'], false],
    ['lt', 1, 2, true],
    ['lt', 2, 2, false],
    ['lt', '1', 2, false],
    ['lt', 1, '2', false],
    ['lt', '2026-03-01', '2026-03-02', true],
    ['lt', null, 2, false],
    ['lte', 2, 2, true],
    ['lte', 'b', 'a', false],
    ['gt', 3, 2, true],
    ['gt', '10', '9', false],
    ['gte', 2, 2, true],
    ['gte', true, 0, false],
    ['contains', ['a', 'b'], 'b', true],
    ['contains', ['a', 'b'], 'c', false],
    ['contains', [1], '1', false],
    ['contains', 'abc', 'bc', true],
    ['contains', 'abc', 1, false],
    ['contains', { a: 1 }, 'a', false],
    ['starts_with', 'abc', 'ab', true],
    ['starts_with', 'abc', 'bc', false],
    ['starts_with', ['a'], 'a', false],
    ['exists', null, undefined, true],
    ['exists', false, undefined, true],
  ])('%s, of %j and %j: %s', (op, found, value, holds) => {
    const rule = { attribute: 'input.x', op, value }
    expect(evaluate(rule, of({ 'input.x': found }))).toBe(holds)
    expect(evaluate({ not: rule }, of({ 'input.x': found }))).toBe(!holds)
  })

  test.each<AttributeLeaf['op']>([
    'eq',
    'ne',
    'in',
    'not_in',
    'lt',
    'lte',
    'gt',
    'gte',
    'contains',
    'starts_with',
    'exists',
  ])('%s of a missing attribute is false', (op) => {
    expect(
      evaluate(
        { attribute: 'input.x', op, value: ['in', 'not_in'].includes(op) ? ['x'] : 'x' },
        of({}),
      ),
    ).toBe(false)
  })
})

describe('the attributes', () => {
  const caller: Caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'ai_agent',
    roles: ['user', 'guide'],
    capabilities: [],
    locale: 'de',
  }
  const tool = defineTool({
    id: 'room.book',
    title: 'Book',
    category: 'integration',
    description: 'Books.',
    input: z.object({}),
    output: z.null(),
    contract: {
      effect: 'writes.room',
      reversible: false,
      idempotency: 'caller',
      securityLevel: 'confidential',
    },
    execute: async () => null,
  })
  const startedAt = Date.parse('2026-03-01T23:30:00Z') // Sunday in UTC, Monday in Berlin
  const input = { amount: 7, guest: { name: 'Bo', tags: ['vip'] }, none: null }
  const all = attributesOf({
    tool,
    caller: { ...caller, timeZone: 'Europe/Berlin' },
    startedAt,
    input,
  })

  test.each([
    ['caller.tenant', 't'],
    ['caller.principal', 'ann'],
    ['caller.actor', 'ai_agent'],
    ['caller.roles', ['user', 'guide']],
    ['caller.session', undefined],
    ['caller.timeZone', 'Europe/Berlin'],
    ['caller.locale', 'de'],
    ['tool.id', 'room.book'],
    ['tool.category', 'integration'],
    ['tool.effect', 'writes.room'],
    ['tool.security_level', 'confidential'],
    ['tool.reversible', false],
    ['moment.hour', 0],
    ['moment.weekday', 'mon'],
    ['moment.date', '2026-03-02'],
    ['input.amount', 7],
    ['input.guest.name', 'Bo'],
    ['input.guest.tags.0', 'vip'],
    ['input.guest.tags.1', undefined],
    ['input.guest.tags.length', undefined],
    ['input.guest.name.length', undefined],
    ['input.none', null],
    ['input.none.deeper', undefined],
    ['input.constructor', undefined],
    ['input.guest.toString', undefined],
  ])('%s is %j', (name, value) => {
    expect(all(name)).toEqual(value)
  })

  test('of the moment are in UTC where the caller has no zone', () => {
    const utc = attributesOf({ tool, caller, startedAt, input })
    expect(['moment.hour', 'moment.weekday', 'moment.date'].map(utc)).toEqual([
      23,
      'sun',
      '2026-03-01',
    ])
  })
})

describe('what stands in the way', () => {
  const a = { attribute: 'caller.tenant', op: 'eq', value: 'acme' } as const
  const b = { attribute: 'input.amount', op: 'lte', value: 100 } as const
  const c = { attribute: 'caller.session', op: 'exists' } as const
  const values = of({ 'caller.tenant': 'acme', 'input.amount': 500 })
  test.each<[string, AttributeRule, string | undefined]>([
    ['nothing', a, undefined],
    ['a leaf', b, 'input.amount must be at most 100'],
    ['the first of all that fails', { all: [a, b, c] }, 'input.amount must be at most 100'],
    ['the first of any', { any: [c, b] }, 'caller.session must be there'],
    ['what holds under a not', { not: { any: [b, a] } }, 'caller.tenant must not be "acme"'],
    [
      'the first of all under a not',
      { not: { all: [a, { not: b }] } },
      'caller.tenant must not be "acme"',
    ],
    ['what fails under two', { not: { not: b } }, 'input.amount must be at most 100'],
    [
      'a list',
      { attribute: 'caller.tenant', op: 'in', value: ['x', 'y'] },
      'caller.tenant must be one of "x", "y"',
    ],
  ])('is %s', (_what, rule, words) => {
    expect(explainRule(rule, values)).toBe(words)
  })

  test('never tells what was found: an input may be a secret', () => {
    const secret = of({ 'input.pin': '4711' })
    expect(explainRule({ attribute: 'input.pin', op: 'eq', value: 'x' }, secret)).not.toContain(
      '4711',
    )
  })
})

// ---- the same, by hand

const NAMES = ['caller.tenant', 'caller.locale', 'input.amount', 'input.tags', 'moment.hour']
const value = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', '', null, true, false),
  fc.integer({ min: 0, max: 3 }),
)
const leaf: fc.Arbitrary<AttributeRule> = fc.oneof(
  fc.record({
    attribute: fc.constantFrom(...NAMES),
    op: fc.constantFrom('eq', 'ne', 'contains'),
    value,
  }),
  fc.record({
    attribute: fc.constantFrom(...NAMES),
    op: fc.constantFrom('in', 'not_in'),
    value: fc.array(value, { maxLength: 3 }),
  }),
  fc.record({
    attribute: fc.constantFrom(...NAMES),
    op: fc.constantFrom('lt', 'lte', 'gt', 'gte'),
    value: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b')),
  }),
  fc.record({
    attribute: fc.constantFrom(...NAMES),
    op: fc.constant('starts_with'),
    value: fc.constantFrom('a', 'b'),
  }),
  fc.record({ attribute: fc.constantFrom(...NAMES), op: fc.constant('exists') }),
)
const { tree: anyRule } = fc.letrec<{ tree: AttributeRule }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ all: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ not: tie('tree') }),
  ),
}))
const anyValues = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(value, fc.array(value, { maxLength: 3 })),
)

function byHand(rule: AttributeRule, values: Readonly<Record<string, unknown>>): boolean {
  if ('all' in rule) return !rule.all.map((part) => byHand(part, values)).includes(false)
  if ('any' in rule) return rule.any.map((part) => byHand(part, values)).includes(true)
  if ('not' in rule) return !byHand(rule.not, values)
  if (!(rule.attribute in values)) return false
  const found = values[rule.attribute]
  const text = JSON.stringify
  const wanted = rule.value
  switch (rule.op) {
    case 'exists':
      return true
    case 'eq':
      return text(found) === text(wanted)
    case 'ne':
      return text(found) !== text(wanted)
    case 'in':
      return (wanted as unknown[]).map((one) => text(one)).includes(text(found))
    case 'not_in':
      return !(wanted as unknown[]).map((one) => text(one)).includes(text(found))
    case 'contains':
      if (Array.isArray(found)) return found.map((one) => text(one)).includes(text(wanted))
      return typeof found === 'string' && typeof wanted === 'string' && found.indexOf(wanted) >= 0
    case 'starts_with':
      return typeof found === 'string' && found.indexOf(String(wanted)) === 0
  }
  if (typeof found !== typeof wanted || (typeof found !== 'number' && typeof found !== 'string'))
    return false
  const [low, high] = [found, wanted].sort((one, other) =>
    (one as string) < (other as string) ? -1 : 1,
  )
  if (found === wanted) return rule.op === 'lte' || rule.op === 'gte'
  return rule.op.startsWith('l') ? low === found : high === found
}

test('any rule over any attributes is judged as by hand, and told apart from one that cannot be enforced', () => {
  fc.assert(
    fc.property(anyRule, anyValues, (rule, values) => {
      expect(ruleTrouble(rule)).toBeUndefined()
      const holds = byHand(rule, values)
      expect(evaluate(rule, of(values))).toBe(holds)
      expect(explainRule(rule, of(values)) === undefined).toBe(holds)
    }),
    { numRuns: 5_000 },
  )
})
