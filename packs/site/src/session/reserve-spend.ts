import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { SiteContract } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Input = z.object({
  sessionId: z.string().max(128),
  /** The cart or slot that is paid for. */
  subject: z.string().max(128),
  amount: z.int().min(0),
  currency: z.string().length(3),
})
type ReserveInput = z.output<typeof Input>

const reserve = defineTransaction(
  'site.reserve_spend',
  async (tx, { tenant, now, input }: WriteRequest<ReserveInput>) => {
    const { sessionId, subject, amount, currency } = input
    // Locks the session's row, so that two approvals at once cannot both fit the limit.
    await tx.run(
      'update site_sessions set expires_at = expires_at where tenant = ? and id = ?',
      tenant,
      sessionId,
    )
    const site = await tx.get('select body from site_contracts where tenant = ?', tenant)
    const limit =
      site === undefined ? undefined : SiteContract.parse(JSON.parse(String(site.body))).spendLimit
    const sum = await tx.get(
      'select coalesce(sum(amount), 0) as n from site_spend where tenant = ? and session = ? and subject <> ?',
      tenant,
      sessionId,
      subject,
    )
    const spent = Number(sum?.n ?? 0)
    if (limit !== undefined && (currency !== limit.currency || spent + amount > limit.amount))
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The site allows ${formatMoney(limit)} per visit, and ${formatMoney({ amount, currency })} more would exceed it. Nothing was approved.`,
        { details: { source_code: 'spend_limit', limit, spent } },
      )
    await tx.run(
      `insert into site_spend (tenant, session, subject, amount, currency, at) values (?, ?, ?, ?, ?, ?)
        on conflict (tenant, session, subject) do update set amount = excluded.amount, currency = excluded.currency, at = excluded.at`,
      tenant,
      sessionId,
      subject,
      amount,
      currency,
      now,
    )
    return { spent: spent + amount }
  },
)

export const reserveSpend = defineTool({
  id: 'site.reserve_spend',
  title: 'Reserve a part of the spend limit',
  category: 'site',
  description:
    'Counts what a visitor is about to approve towards the limit of the visit, or refuses it. Called by the server before an approval is given.',
  input: Input,
  output: z.object({ spent: z.int() }),
  contract: {
    ...systemOnly,
    effect: 'writes.session',
    reversible: true,
    idempotency: 'caller',
    onRefusal: 'release',
    timeout: '5s',
  },
  examples: [
    {
      name: 'an order',
      input: {
        sessionId: 'ses_0123456789abcdef',
        subject: 'cart_1',
        amount: 4470,
        currency: 'EUR',
      },
    },
    {
      name: 'a booking',
      input: {
        sessionId: 'ses_0123456789abcdef',
        subject: 'slot_1',
        amount: 4000,
        currency: 'EUR',
      },
    },
  ],
  transaction: transact(reserve, writeRequest<ReserveInput>('spd')),
})
