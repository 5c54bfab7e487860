import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { SiteContract } from '../contract/site-contract.ts'
import { operatorOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Input = z.object({ contract: SiteContract })
type ConnectInput = z.output<typeof Input>

const connect = defineTransaction(
  'site.connect',
  async (tx, { tenant, principal, now, input }: WriteRequest<ConnectInput>) => {
    await tx.run(
      `insert into site_contracts (tenant, body, is_stopped, updated_at, updated_by) values (?, ?, 0, ?, ?)
        on conflict (tenant) do update set body = excluded.body, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      tenant,
      JSON.stringify(input.contract),
      now,
      principal,
    )
    return { name: input.contract.name, origins: input.contract.origins }
  },
)

export const connectSite = defineTool({
  id: 'site.connect',
  title: 'Connect a site',
  category: 'site',
  description:
    'Stores the reviewed contract of a site: its origins, what the agent may open, how it shops and books there. It replaces the contract that was stored before.',
  input: Input,
  output: z.object({ name: z.string(), origins: z.array(z.string()) }),
  contract: {
    ...operatorOnly,
    effect: 'writes.site',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    {
      name: 'a shop',
      input: {
        contract: { version: 1, name: 'Thorn & Thimble', origins: ['https://shop.example'] },
      },
    },
    {
      name: 'another',
      input: { contract: { version: 1, name: 'Café', origins: ['https://cafe.example'] } },
    },
  ],
  transaction: transact(connect, writeRequest<ConnectInput>('con')),
})
