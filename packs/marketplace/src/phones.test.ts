import { expect, test } from 'vitest'
import { maskPhone, maskPhones, withoutNumbers } from './phones.ts'

test.each([
  ['250788555001', 'reach me at 250788555001', 'reach me at ***001'],
  ['250788555001', 'reach me at +250 788 555 001!', 'reach me at +***001!'],
  ['250788555001', 'call 0788-555-001 or 0788/555/001', 'call ***001 or ***001'],
  ['250788555001', 'number: (250) 788.555.001', 'number: (***001'],
  ['250788555001', 'wa.me/250788555001', 'wa.me/***001'],
  ['250788555001', '٠٧٨٨٥٥٥٠٠١', '***001'],
  ['250788555001', '０７８８５５５００１', '***001'],
  ['250788555001', '7 8 8 5 5 5 0 0 1', '***001'],
  ['250788555001', 'box of 500, 12,000 RWF', 'box of 500, 12,000 RWF'],
  ['250788555001', '788555002 is another', '788555002 is another'],
  ['250788555001', 'no digits at all', 'no digits at all'],
])('the number %s is removed from %j', (number, text, expected) => {
  expect(withoutNumbers(text, [number])).toBe(expected)
})

test('a long text is cleaned at once', () => {
  const startedAt = performance.now()
  withoutNumbers('L’avez-vous ? À quel prix ’ 500 mg '.repeat(100), ['250788555001'])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test.each([
  ['call 0788 123 456 today', 'call ***456 today'],
  ['+250788123456', '***456'],
  ['12,000,000 RWF', '12,000,000 RWF'],
  ['500 mg, 21 capsules, 12 000', '500 mg, 21 capsules, 12 000'],
  ['req_1234567', 'req_1234567'],
])('%j is masked as %j', (text, expected) => {
  expect(maskPhones(text)).toBe(expected)
})

test('three digits are left of a number', () => {
  expect(maskPhone('+250 788 123 456')).toBe('***456')
})
