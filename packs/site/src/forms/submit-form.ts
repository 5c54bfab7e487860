import { defineTool, IdempotencyKey, ToolError } from '@surehand/core'
import { CssSelector } from '@surehand/documents'
import { z } from 'zod'
import type { PageForm } from '../bridge-messages.ts'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf, requireSite, siteIsOpen, visitorPermissions } from '../visitor-contract.ts'

type FormFacts = {
  readonly method: string
  readonly action: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly confirm: boolean
}

export const submitForm = defineTool({
  id: 'forms.submitForm',
  title: 'Submit a form',
  category: 'forms',
  description:
    "Submits a form of the page as its button would: the page's own validation, method, encoding and CSRF token apply. Where the site asks for it, and for every form it does not know, the visitor confirms what is sent.",
  input: z.object({
    formSelector: CssSelector,
    idempotencyKey: IdempotencyKey.optional(),
    validate: z.boolean().default(true).describe("Whether the page's validation must accept it."),
  }),
  output: z.object({
    submitted: z.literal(true),
    url: z.string().optional().describe('The page afterwards, where it is known.'),
  }),
  contract: {
    effect: 'writes.content',
    reversible: false,
    idempotency: 'caller',
    auth: 'session',
    permissions: visitorPermissions,
    latencyBudget: '1s',
    timeout: '12s',
    gates: [siteIsOpen],
    limits: [{ calls: 20, per: '1m' }],
    approval: {
      kind: 'consent',
      expires: '15m',
      facts: async ({ input: { formSelector }, ports, caller, signal }): Promise<FormFacts> => {
        const { contract } = await requireSite(ports.sites, caller, signal)
        const form = await ports.page.describeForm({ ...pageOf(caller), formSelector }, signal)
        refuseForeignForm(form, contract.origins)
        const known = contract.forms.find(({ selector }) => selector === formSelector)
        return {
          method: form.method,
          action: form.action,
          fields: form.fields.map(({ name, value }) => ({ name, value })),
          confirm: known?.confirm ?? form.method !== 'get',
        }
      },
      unless: (_, { confirm }: FormFacts) => !confirm,
      asks: (_, { fields, action }: FormFacts) =>
        `Send ${fields.length === 1 ? 'this field' : `these ${fields.length} fields`} to ${action}?`,
    },
  },
  ports: { page: pageBridge, sites: siteContracts },
  examples: [
    { name: 'the contact form', input: { formSelector: '#contact' } },
    {
      name: 'the newsletter',
      input: { formSelector: 'form[data-action="newsletter.subscribe"]', validate: true },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { formSelector, validate } = input
    const { url } = await ports.page.perform(
      {
        ...pageOf(caller),
        command: { do: 'submitForm', formSelector, validate },
        idempotencyKey,
      },
      signal,
    )
    return { submitted: true as const, ...(url === undefined ? {} : { url }) }
  },
})

// A form of the page may send to another site: what the visitor entered here would end up there.
function refuseForeignForm({ action }: PageForm, origins: readonly string[]): void {
  if (!URL.canParse(action) || origins.includes(new URL(action).origin)) return
  throw new ToolError(
    'TOOL_RESOURCE_ACCESS_DENIED',
    `The form sends to ${new URL(action).origin}, which is not an address of the site. Nothing was sent; the visitor can submit it themselves.`,
    { effect: 'none' },
  )
}
