import { defineTool, ToolError } from '@surehand/core'
import { CssSelector } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf, siteIsOpen, visitorPermissions } from '../visitor-contract.ts'
import { findSecret } from './find-secret.ts'

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
