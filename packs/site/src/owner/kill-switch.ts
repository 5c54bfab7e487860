import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { operatorOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Input = z.object({ reason: z.string().max(400).optional() })
type SwitchInput = z.output<typeof Input>

const contract = {
  ...operatorOnly,
  effect: 'writes.site',
  reversible: true,
  idempotency: 'caller',
  timeout: '5s',
} as const

function setSwitch(name: string, isStopped: 0 | 1) {
  return defineTransaction(
    name,
    async (tx, { tenant, principal, now }: WriteRequest<SwitchInput>) => {
      const { changes } = await tx.run(
        'update site_contracts set is_stopped = ?, updated_at = ?, updated_by = ? where tenant = ?',
        isStopped,
        now,
        principal,
        tenant,
      )
      if (changes === 0)
        throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No site is connected in this tenant.')
      return { isStopped: isStopped === 1 }
    },
  )
}

export const stopSite = defineTool({
  id: 'site.stop',
  title: 'Stop the agent of the site',
  category: 'site',
  description:
    'The kill switch: from now on no tool for visitors does anything, also not what was approved before. site.resume ends it.',
  input: Input,
  output: z.object({ isStopped: z.boolean() }),
  contract,
  examples: [
    { name: 'now', input: {} },
    { name: 'with a reason', input: { reason: 'Wrong prices' } },
  ],
  transaction: transact(setSwitch('site.stop', 1), writeRequest<SwitchInput>('stp')),
})

export const resumeSite = defineTool({
  id: 'site.resume',
  title: 'Let the agent of the site work again',
  category: 'site',
  description: 'Ends site.stop.',
  input: Input,
  output: z.object({ isStopped: z.boolean() }),
  contract,
  examples: [
    { name: 'now', input: {} },
    { name: 'with a reason', input: { reason: 'Prices are right again' } },
  ],
  transaction: transact(setSwitch('site.resume', 0), writeRequest<SwitchInput>('rsm')),
})
