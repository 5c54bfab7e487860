// table
import type { Command } from '@surehand/bridge/page/messages'

// What an attacker sends. Nothing of it may have an effect: see attacks.browser.test.ts.

const NONCE = 'A'.repeat(22)
const order = (command: object, more: object = {}) => ({
  type: 'execute',
  id: 'attack',
  nonce: NONCE,
  command,
  ...more,
})

/** Commands that would do something if they were believed. */
export const EFFECTIVE: readonly (readonly [string, object])[] = [
  ['goto', { do: 'goto', path: '/buy' }],
  ['act', { do: 'act', action: 'order.place', params: {} }],
  ['submitForm', { do: 'submitForm', formSelector: '#order', validate: true }],
  ['fillField', { do: 'fillField', selector: '[name=amount]', value: '100' }],
  ['open', { do: 'open', url: 'https://evil.example/', target: '_blank' }],
]

/** Sent to a window with postMessage, by somebody who is not the widget. */
export const WINDOW_MESSAGES: readonly (readonly [string, unknown])[] = [
  ...EFFECTIVE.map(([name, command]) => [name, order(command)] as const),
  ['hello', { type: 'hello', version: 1, nonce: NONCE }],
  ['result', { type: 'result', id: 'attack', nonce: NONCE, value: {} }],
  ['status', { type: 'status', state: 'opened', nonce: NONCE }],
  ['text', JSON.stringify(order({ do: 'goto', path: '/buy' }))],
]

/** Sent to the widget's window as a `hello` that must not be accepted; `ports` go along. */
export const HELLOS: readonly (readonly [string, unknown, number])[] = [
  ['without a nonce', { type: 'hello', version: 1 }, 1],
  ['with a short nonce', { type: 'hello', version: 1, nonce: 'short' }, 1],
  ['with a long nonce', { type: 'hello', version: 1, nonce: 'A'.repeat(65) }, 1],
  ['with a nonce of other characters', { type: 'hello', version: 1, nonce: '<'.repeat(22) }, 1],
  ['with a nonce that is an object', { type: 'hello', version: 1, nonce: { length: 22 } }, 1],
  ['of another version', { type: 'hello', version: 2, nonce: NONCE }, 1],
  ['with its version as text', { type: 'hello', version: '1', nonce: NONCE }, 1],
  ['without a version', { type: 'hello', nonce: NONCE }, 1],
  ['without a port', { type: 'hello', version: 1, nonce: NONCE }, 0],
  ['with two ports', { type: 'hello', version: 1, nonce: NONCE }, 2],
  ['as text', '{"type":"hello","version":1}', 1],
  ['as a list', [{ type: 'hello', version: 1, nonce: NONCE }], 1],
  ['as null', null, 1],
  ['of another type', { type: 'execute', version: 1, nonce: NONCE }, 1],
]

/** Sent over the channel with the right nonce, and still refused. `$` stands for the nonce. */
export const PORT_MESSAGES: readonly (readonly [string, unknown])[] = [
  ['without a nonce', { type: 'execute', id: 'a', command: { do: 'goto', path: '/buy' } }],
  ['with another nonce', order({ do: 'goto', path: '/buy' })],
  ['with the nonce as a list', order({ do: 'goto', path: '/buy' }, { nonce: ['$'] })],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'eval'].flatMap(
    (name) => [
      [`of the type ${name}`, order({ do: 'goto', path: '/buy' }, { nonce: '$', type: name })],
      [`of the command ${name}`, order({ do: name, path: '/buy' }, { nonce: '$' })],
    ],
  ),
  ['with one more member', order({ do: 'goto', path: '/buy' }, { nonce: '$', approved: true })],
  [
    'with one more member in the command',
    order({ do: 'goto', path: '/buy', force: true }, { nonce: '$' }),
  ],
  [
    'with an own __proto__',
    JSON.parse(
      '{"type":"execute","id":"a","nonce":"$","command":{"do":"goto","path":"/buy","__proto__":{"path":"/x"}}}',
    ),
  ],
  [
    'with __proto__ as a parameter',
    JSON.parse(
      '{"type":"execute","id":"a","nonce":"$","command":{"do":"act","action":"order.place","params":{"__proto__":"x"}}}',
    ),
  ],
  [
    'with its command in the prototype',
    JSON.parse(
      '{"type":"execute","id":"a","nonce":"$","__proto__":{"command":{"do":"goto","path":"/buy"}}}',
    ),
  ],
  ['with a list as command', order([{ do: 'goto', path: '/buy' }], { nonce: '$' })],
  ['with text as command', order('goto' as unknown as object, { nonce: '$' })],
  ['without an id', { type: 'execute', nonce: '$', command: { do: 'goto', path: '/buy' } }],
  ['with an empty id', order({ do: 'goto', path: '/buy' }, { nonce: '$', id: '' })],
  ['with markup as id', order({ do: 'goto', path: '/buy' }, { nonce: '$', id: '<img>' })],
  ['with a long id', order({ do: 'goto', path: '/buy' }, { nonce: '$', id: 'a'.repeat(129) })],
  ['with a number as path', order({ do: 'goto', path: 1 }, { nonce: '$' })],
  ['with a list as path', order({ do: 'goto', path: ['/buy'] }, { nonce: '$' })],
  ['without a path', order({ do: 'goto' }, { nonce: '$' })],
  ['with a long path', order({ do: 'goto', path: `/buy?${'a'.repeat(3_000)}` }, { nonce: '$' })],
  [
    'with a long selector',
    order(
      { do: 'fillField', selector: `#order ${'a'.repeat(1_001)},[name=amount]`, value: '9' },
      { nonce: '$' },
    ),
  ],
  [
    'with a long value',
    order(
      { do: 'fillField', selector: '[name=amount]', value: '9'.repeat(10_001) },
      { nonce: '$' },
    ),
  ],
  [
    'with a value of 10 MB',
    order(
      { do: 'fillField', selector: '[name=amount]', value: '9'.repeat(10_000_000) },
      { nonce: '$' },
    ),
  ],
  [
    'with a number as value',
    order({ do: 'fillField', selector: '[name=amount]', value: 9 }, { nonce: '$' }),
  ],
  [
    'with parameters that are too much in all',
    order(
      {
        do: 'act',
        action: 'order.place',
        params: Object.fromEntries(
          Array.from({ length: 8 }, (_, index) => [`p${index}`, 'a'.repeat(9_999)]),
        ),
      },
      { nonce: '$' },
    ),
  ],
  [
    'with a parameter that is an object',
    order({ do: 'act', action: 'order.place', params: { a: {} } }, { nonce: '$' }),
  ],
  [
    'with a selector as action',
    order({ do: 'act', action: '"],#buy,[a="', params: {} }, { nonce: '$' }),
  ],
  [
    'with validate as text',
    order({ do: 'submitForm', formSelector: '#order', validate: 'false' }, { nonce: '$' }),
  ],
  ['without validate', order({ do: 'submitForm', formSelector: '#order' }, { nonce: '$' })],
  [
    'with fifty-one pages to load',
    order(
      { do: 'prefetch', mode: 'prefetch', urls: Array.from({ length: 51 }, () => '/buy') },
      { nonce: '$' },
    ),
  ],
  [
    'with a foreign page to load',
    order({ do: 'prefetch', mode: 'prerender', urls: ['//evil.example/'] }, { nonce: '$' }),
  ],
  ['a second hello', { type: 'hello', version: 1, nonce: '$' }],
  ['with a path to another host', order({ do: 'goto', path: '//evil.example/' }, { nonce: '$' })],
  ['with a backslash in its path', order({ do: 'goto', path: '/\\evil.example/' }, { nonce: '$' })],
  ['with a tab in its path', order({ do: 'goto', path: '/\t/evil.example/' }, { nonce: '$' })],
  [
    'with a script as path',
    order({ do: 'goto', path: 'javascript:effects.push(1)' }, { nonce: '$' }),
  ],
  [
    'with a script as URL',
    order({ do: 'open', url: 'javascript:effects.push(1)', target: '_self' }, { nonce: '$' }),
  ],
  [
    'with a document as URL',
    order({ do: 'open', url: 'data:text/html,x', target: '_blank' }, { nonce: '$' }),
  ],
  [
    'with a file as URL',
    order({ do: 'open', url: 'file:///etc/passwd', target: '_self' }, { nonce: '$' }),
  ],
  [
    'with a user in the URL',
    order({ do: 'open', url: 'https://shop@evil.example/', target: '_blank' }, { nonce: '$' }),
  ],
  [
    'with another window as target',
    order({ do: 'open', url: 'https://evil.example/', target: 'opener' }, { nonce: '$' }),
  ],
] as readonly (readonly [string, unknown])[]

const fill = (selector: string): Command => ({
  do: 'fillField',
  selector,
  value: '4111111111111111',
})
const submit = (formSelector: string, validate = true): Command => ({
  do: 'submitForm',
  formSelector,
  validate,
})

/** Well-formed commands that ask for what the page refuses, and with which code. */
export const COMMANDS: readonly (readonly [string, Command, string])[] = [
  ...[
    'password',
    'card',
    'cvc',
    'csrf',
    'file',
    'otp',
    'iban',
    'pin',
    'labelled',
    'masked',
    'readonly',
    'disabled',
    'invisible',
    'transparent',
    'current',
    'expiry',
    'holder',
    'code',
    'order-button',
    'buy',
  ].map((id) => [`type into #${id}`, fill(`#${id}`), 'not_allowed'] as const),
  ['type by a list of fields', fill('#password,#card'), 'not_allowed'],
  ['submit to another site', submit('#foreign'), 'not_allowed'],
  ['submit to another site by its button', submit('#foreign-button'), 'not_allowed'],
  ['submit to a script', submit('#script'), 'not_allowed'],
  ['submit a password', submit('#login'), 'not_allowed'],
  ['submit a password without validation', submit('#login', false), 'not_allowed'],
  ['submit a card', submit('#pay'), 'not_allowed'],
  ['submit a form that hides its address', submit('#clobbered'), 'not_allowed'],
  ['submit what is not valid', submit('#invalid'), 'invalid'],
  ['submit what is no form', submit('main'), 'not_found'],
  ['follow a link to another site', { do: 'act', action: 'away', params: {} }, 'not_allowed'],
  ['follow a script', { do: 'act', action: 'script', params: {} }, 'not_allowed'],
  [
    'press with parameters of another',
    { do: 'act', action: 'order.place', params: { constructor: 'x' } },
    'not_found',
  ],
  ['compare a hidden value', { do: 'highlight', selector: '#csrf[value^="s"]' }, 'not_allowed'],
  [
    'compare a hidden value within :has()',
    { do: 'highlight', selector: 'form:has([ value*="secret"])' },
    'not_allowed',
  ],
  ['nest :has()', { do: 'highlight', selector: 'body:has(main:has(form))' }, 'not_allowed'],
  ['select everything of everything', { do: 'highlight', selector: '* * * * * *' }, 'not_allowed'],
  [
    'select by fifty selectors',
    { do: 'highlight', selector: Array(50).fill('b').join() },
    'not_allowed',
  ],
  ['select without an end', { do: 'highlight', selector: ':is(' }, 'not_found'],
  ['select with a pseudo-element', { do: 'highlight', selector: '::before' }, 'not_found'],
]
