import { readMessage } from '@surehand/bridge/page/messages'
import { readReport } from '@surehand/bridge/widget/read-report'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExecuteMessage, PageReport } from '../bridge-messages.ts'

// The bridge checks messages by hand, because a library would not fit into it. These tests compare
// that with the schemas.

const NONCE = 'n'.repeat(22)
const order = (command: unknown) => ({ type: 'execute', nonce: NONCE, id: 'cmd_1', command })

const path = fc.constantFrom('/', '/roses?colour=red#top', '/a/b', '/search?q=a%20b')
const selector = fc.constantFrom('#a', '[data-action="cart.add"]', 'main > form:not(.x)', 'a, b')
const command = fc.oneof(
  fc.record({ do: fc.constant('goto'), path }),
  fc.record({ do: fc.constantFrom('highlight'), selector }),
  fc.record(
    { do: fc.constant('scrollTo'), selector, to: fc.constantFrom('top', 'bottom', 'anchor') },
    { requiredKeys: ['do'] },
  ),
  fc.record({
    do: fc.constant('open'),
    url: fc.constantFrom('https://a.example/x?y=1#z', 'http://[::1]:80/'),
    target: fc.constantFrom('_blank', '_self'),
  }),
  fc.record({ do: fc.constant('fillField'), selector, value: fc.string({ maxLength: 50 }) }),
  fc.record({ do: fc.constant('submitForm'), formSelector: selector, validate: fc.boolean() }),
  fc.record({
    do: fc.constant('act'),
    action: fc.constantFrom('cart.add', 'a-b_c'),
    params: fc.dictionary(
      fc.string({ maxLength: 20 }).filter((key) => key !== '__proto__'),
      fc.oneof(fc.string(), fc.boolean(), fc.integer()),
    ),
  }),
  fc.record({ do: fc.constant('candidates'), words: fc.string({ maxLength: 50 }) }),
  fc.record({ do: fc.constant('describeForm'), formSelector: selector }),
  fc.record({
    do: fc.constant('prefetch'),
    urls: fc.array(path, { minLength: 1, maxLength: 50 }),
    mode: fc.constantFrom('prefetch', 'prerender'),
  }),
  fc.record({ do: fc.constant('clearHighlights') }),
)

describe('commands', () => {
  test('what the server sends, the page accepts', () => {
    fc.assert(
      fc.property(command, (one) => {
        expect(ExecuteMessage.safeParse(order(one)).success).toBe(true)
        expect(readMessage(order(one))).toEqual(order(one))
      }),
    )
  })

  test('a member that is missing, of another type or too much is refused by both', () => {
    const wrong = fc.constantFrom(undefined, null, 1, [], {}, 'x'.repeat(10_001))
    const spoiled = fc
      .tuple(command, fc.nat(), wrong, fc.boolean())
      .map(([one, index, value, isNew]) => {
        const names = Object.keys(one)
        const name = isNew ? 'more' : (names[index % names.length] ?? 'do')
        return { ...one, [name]: value }
      })
    fc.assert(
      fc.property(spoiled, (one) => {
        if (!ExecuteMessage.safeParse(order(one)).success)
          expect(readMessage(order(one)), JSON.stringify(one)).toBeUndefined()
      }),
    )
  })
})

describe('reports', () => {
  const text = fc.oneof(fc.string(), fc.constant('x'.repeat(3_000)), fc.constant(7))
  const report = fc.record(
    {
      type: fc.constantFrom('result', 'error', 'status', 'hello', 'other'),
      id: fc.constantFrom('cmd_1', '', 7, 'a b'),
      state: fc.constantFrom('ready', 'arrived', 'other'),
      code: fc.constantFrom('not_found', 'invalid', 'other'),
      message: text,
      url: fc.constantFrom('https://a.example/', 'javascript:1', 7),
      title: text,
      value: fc.oneof(fc.constant({ url: 'https://a.example/', more: 1 }), fc.anything()),
      candidates: fc.oneof(
        fc.array(
          fc.record({
            selector: fc.constantFrom('#a', 'x'.repeat(2_000)),
            name: text,
            landmark: fc.constantFrom({ role: 'nav' }, { role: 'main', name: 'x' }, 'main'),
          }),
        ),
        fc.anything(),
      ),
      form: fc.oneof(
        fc.record({ method: fc.constantFrom('get', 'other'), fields: fc.array(fc.anything()) }),
        fc.anything(),
      ),
    },
    { requiredKeys: ['type'] },
  )

  test('whatever a page reports, what the widget passes on is valid for the server', () => {
    fc.assert(
      fc.property(report, (one) => {
        const read = readReport(one)
        if (read !== undefined) expect(PageReport.parse(read)).toEqual(read)
      }),
    )
  })
})
