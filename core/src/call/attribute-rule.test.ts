import { expect, test } from 'vitest'
import {
  type AttributeRule,
  MAX_RULE_DEPTH,
  MAX_RULE_LEAVES,
  ruleTrouble,
} from './attribute-rule.ts'

const leaf = { attribute: 'caller.tenant', op: 'eq', value: 'a' } as const
const nest = (depth: number): AttributeRule => (depth === 1 ? leaf : { not: nest(depth - 1) })
const wide = (leaves: number): AttributeRule => ({
  any: Array.from({ length: leaves }, () => leaf),
})

test.each<[string, AttributeRule]>([
  ['a leaf', leaf],
  ['every kind of part', { all: [leaf, { any: [leaf] }, { not: leaf }] }],
  ['a path into the input', { attribute: 'input.guest.name', op: 'starts_with', value: 'B' }],
  ['existence', { attribute: 'caller.session', op: 'exists' }],
  ['the moment', { attribute: 'moment.hour', op: 'lt', value: 12 }],
  ['as deep as may be', nest(MAX_RULE_DEPTH)],
  ['as wide as may be', wide(MAX_RULE_LEAVES)],
])('%s can be kept', (_what, rule) => {
  expect(ruleTrouble(rule)).toBeUndefined()
})

test.each<[unknown, string]>([
  [undefined, 'a rule is all, any, not, or an attribute with op and value'],
  [true, 'a rule is all, any, not, or an attribute with op and value'],
  [[leaf], 'a rule is all, any, not, or an attribute with op and value'],
  [{}, '"" is not one of all, any, not, attribute'],
  [{ every: [leaf] }, '"every" is not one of all, any, not, attribute'],
  [{ all: [leaf], any: [leaf] }, 'all, any do not go together in one rule'],
  [{ all: [] }, 'all needs a list of rules'],
  [{ any: leaf }, 'any needs a list of rules'],
  [{ all: [{ not: { attribute: 'caller.tenant', op: 'is' } }] }, '"is" is not an operator'],
  [{ attribute: 'caller.password', op: 'exists' }, 'the attribute "caller.password" is not known'],
  [{ attribute: 'input', op: 'exists' }, 'the attribute "input" is not known'],
  [{ attribute: 'input..x', op: 'exists' }, 'the attribute "input..x" is not known'],
  [{ attribute: 'caller.tenant.x', op: 'exists' }, 'the attribute "caller.tenant.x" is not known'],
  [{ attribute: 7, op: 'exists' }, 'the attribute "7" is not known'],
  [{ ...leaf, note: 'x' }, '"note" is not part of an attribute\'s rule'],
  [{ ...leaf, not: leaf }, '"not" is not part of an attribute\'s rule'],
  [{ attribute: 'caller.tenant', op: 'eq' }, 'caller.tenant eq needs a value'],
  [{ attribute: 'caller.tenant', op: 'in', value: 'a' }, 'caller.tenant in needs a list'],
  [{ attribute: 'moment.hour', op: 'lt', value: null }, 'moment.hour lt needs a number or a text'],
  [
    { attribute: 'moment.hour', op: 'lt', value: Number.NaN },
    'moment.hour lt needs a number or a text',
  ],
  [
    { attribute: 'caller.tenant', op: 'starts_with', value: 1 },
    'caller.tenant starts_with needs a text',
  ],
  [
    { attribute: 'caller.tenant', op: 'exists', value: false },
    'caller.tenant exists takes no value',
  ],
  [nest(MAX_RULE_DEPTH + 1), 'it is nested deeper than 16'],
  [wide(MAX_RULE_LEAVES + 1), 'it has more than 200 leaves'],
  [{ all: [wide(150), wide(51)] }, 'it has more than 200 leaves'],
])('%j cannot', (rule, trouble) => {
  expect(ruleTrouble(rule)).toBe(trouble)
})

test('one that goes on for ever is refused at once', () => {
  const endless: { not?: unknown } = {}
  endless.not = endless
  expect(ruleTrouble(endless)).toBe('it is nested deeper than 16')
})
