import { defineTool, IdempotencyKey } from '@surehand/core'
import { z } from 'zod'
import { parcels } from './parcels.ts'

export const redirectParcel = defineTool({
  id: 'parcels.redirect',
  description: 'Sends a parcel to another address. A person approves it first.',
  input: z.object({
    id: z.string().describe('The number of the parcel, such as p-1'),
    address: z.string().min(5).max(200),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ id: z.string(), status: z.string(), address: z.string() }),
  contract: {
    effect: 'writes.parcel',
    reversible: true,
    idempotency: 'caller',
    approval: ({ id, address }) => `Send parcel ${id} to ${address}?`,
    timeout: '10s',
    retries: 2,
    limits: [{ calls: 10, per: '1m' }],
  },
  ports: { parcels },
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.parcels.redirect({ id: input.id, address: input.address, idempotencyKey }, signal),
})
