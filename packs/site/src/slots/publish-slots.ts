import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { isTimeZone } from '@surehand/dates'
import { Money, PartySize, ResourceId, Rfc3339DateTime, SlotId } from '@surehand/documents'
import { z } from 'zod'
import { operatorOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Publish = z.object({
  resourceId: ResourceId,
  title: z.string().trim().min(1).max(200).describe('What is booked: "Fitting with Iris".'),
  timeZone: z.string().min(1).max(64).describe('Of the place, such as Europe/Vienna.'),
  price: Money,
  capacity: PartySize.default(1),
  cancellation: z
    .object({
      text: z.string().trim().min(1).max(1_000).describe('The policy that visitors are read.'),
      freeHours: z
        .int()
        .min(0)
        .max(8_760)
        .optional()
        .describe('Until how many hours before it is free; unsaid: never.'),
      fee: Money.optional().describe('What a late cancellation costs; unsaid: the price.'),
    })
    .default({ text: 'It can be cancelled at any time.', freeHours: 0 }),
  slots: z
    .array(z.object({ start: Rfc3339DateTime, end: Rfc3339DateTime }))
    .min(1)
    .max(500),
})
type PublishInput = z.output<typeof Publish>

const publish = defineTransaction(
  'site.publish_slots',
  async (tx, { tenant, input }: WriteRequest<PublishInput>) => {
    const { resourceId, title, timeZone, price, capacity, cancellation } = input
    let published = 0
    for (const { start, end } of input.slots) {
      const startsAt = Date.parse(start)
      const { changes } = await tx.run(
        `insert into site_slots (tenant, id, resource_id, title, starts_at, ends_at, time_zone, price, currency, capacity, policy, free_hours, fee)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, id) do nothing`,
        tenant,
        // The same slot, published twice, is one.
        `slot_${resourceId}_${startsAt}`,
        resourceId,
        title,
        startsAt,
        Date.parse(end),
        timeZone,
        price.amount,
        price.currency,
        capacity,
        cancellation.text,
        cancellation.freeHours ?? null,
        cancellation.fee?.amount ?? price.amount,
      )
      published += changes
    }
    return { published, known: input.slots.length - published }
  },
)

const ownerWrite = {
  ...operatorOnly,
  effect: 'writes.site',
  idempotency: 'caller',
  timeout: '10s',
} as const

export const publishSlots = defineTool({
  id: 'site.publish_slots',
  title: 'Publish bookable slots',
  category: 'site',
  description:
    'Offers times of a person, room or table to visitors, where the contract says `booking: { adapter: "own" }`. A slot that was published before stays as it is.',
  input: Publish,
  output: z.object({ published: z.int(), known: z.int() }),
  contract: { ...ownerWrite, reversible: true },
  examples: [
    {
      name: 'an afternoon',
      input: {
        resourceId: 'fitting',
        title: 'Fitting with Iris',
        timeZone: 'Europe/Vienna',
        price: { amount: 4000, currency: 'EUR' },
        cancellation: { text: 'Free until 24 hours before.', freeHours: 24 },
        slots: [{ start: '2026-11-19T14:00:00+01:00', end: '2026-11-19T15:00:00+01:00' }],
      },
    },
  ],
  async check({ input }) {
    const wrong = input.slots.find(({ start, end }) => Date.parse(end) <= Date.parse(start))
    if (wrong !== undefined)
      throw invalidField('slots', `The slot of ${wrong.start} ends before it begins.`)
    if (!isTimeZone(input.timeZone))
      throw invalidField('timeZone', `"${input.timeZone}" is no time zone. Use Europe/Vienna.`)
  },
  transaction: transact(publish, writeRequest<PublishInput>('slt')),
})

function invalidField(field: string, message: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `${message} Nothing was published.`, {
    effect: 'none',
    details: { field },
  })
}

const Withdraw = z.object({ slotIds: z.array(SlotId).min(1).max(500) })
type WithdrawInput = z.output<typeof Withdraw>

const withdraw = defineTransaction(
  'site.withdraw_slots',
  async (tx, { tenant, input }: WriteRequest<WithdrawInput>) => {
    let withdrawn = 0
    for (const slotId of input.slotIds) {
      const { changes } = await tx.run(
        `delete from site_slots where tenant = ? and id = ? and not exists (
          select 1 from site_bookings where site_bookings.tenant = site_slots.tenant
            and site_bookings.slot_id = site_slots.id and state = 'booked')`,
        tenant,
        slotId,
      )
      withdrawn += changes
    }
    return { withdrawn, left: input.slotIds.length - withdrawn }
  },
)

export const withdrawSlots = defineTool({
  id: 'site.withdraw_slots',
  title: 'Withdraw slots',
  category: 'site',
  description: 'Takes slots back that were published. Slots that are booked stay.',
  input: Withdraw,
  output: z.object({ withdrawn: z.int(), left: z.int().describe('Booked, or unknown.') }),
  contract: { ...ownerWrite, reversible: true },
  examples: [{ name: 'one', input: { slotIds: ['slot_fitting_1795093200000'] } }],
  transaction: transact(withdraw, writeRequest<WithdrawInput>('wdr')),
})
