import { defineTool, ToolError } from '@surehand/core'
import { CssSelector } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf, siteIsOpen, visitorPermissions } from '../visitor-contract.ts'

export const fillField = defineTool({
  id: 'forms.fillField',
  title: 'Fill a field',
  category: 'forms',
  description:
    'Types a value into a field of the page, as the visitor would. Only public fields: password, hidden and payment fields are refused, the visitor fills those themselves. Nothing is sent until forms.submitForm.',
  input: z.object({ selector: CssSelector, value: z.string().max(10_000) }),
  output: z.object({ filled: z.string() }),
  contract: {
    effect: 'writes.content',
    reversible: true,
    // The same value in the same field is the same effect only within one attempt of the agent: a
    // visitor may have changed it in between.
    idempotency: 'caller',
    auth: 'session',
    permissions: visitorPermissions,
    latencyBudget: '100ms',
    timeout: '5s',
    gates: [siteIsOpen],
    limits: [{ calls: 120, per: '1m' }],
  },
  ports: { page: pageBridge, sites: siteContracts },
  examples: [
    { name: 'a name', input: { selector: '#name', value: 'Ada Lovelace' } },
    { name: 'a message', input: { selector: 'textarea[name="message"]', value: 'Hello.' } },
  ],
  check({ input: { value } }) {
    const found = findSecret(value)
    if (found === undefined) return
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The value looks like ${found}. The agent does not type secrets; the visitor enters it on the page. Nothing was typed.`,
      { effect: 'none', details: { field: 'value' } },
    )
  },
  execute: async ({ input: { selector, value }, caller, ports, idempotencyKey, signal }) => {
    const command = { do: 'fillField', selector, value } as const
    await ports.page.perform({ ...pageOf(caller), command, idempotencyKey }, signal)
    return { filled: selector }
  },
})

const CARD = /(?:\d[ -]?){13,19}/g
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/, 'a bank account number'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/, 'an API key'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/, 'an access token'],
]

/** What kind of secret a text contains, in words; undefined where none is recognized. */
function findSecret(text: string): string | undefined {
  if ([...text.matchAll(CARD)].some(([digits]) => isCardNumber(digits.replace(/\D/g, ''))))
    return 'a card number'
  return TOKENS.find(([pattern]) => pattern.test(text))?.[1]
}

/** Luhn's check digit: order and phone numbers of that length rarely have it. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
