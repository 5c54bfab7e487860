import { mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, definePort, defineTool, sameKey } from '@surehand/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from './serve.ts'

type Till = { readonly charge: (order: { readonly key: string }) => Promise<null> }
const charge = defineTool({
  id: 'till.charge',
  description: 'Charges an order.',
  input: z.object({ order: z.int() }),
  output: z.null(),
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller', timeout: '1s' },
  ports: { till: definePort<Till>('till', { charge: sameKey({ validFor: '1d' }) }) },
  execute: ({ ports, idempotencyKey }) => ports.till.charge({ key: idempotencyKey }),
})

test('a database file that is moved away while a provider works: the outcome is unknown, then nothing more is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-lost-file-'))
  const env = { SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' }
  const read = await readDemoConfig({ env, folder })
  const file = join(read.data, 'surehand.db')
  const charged: string[] = []
  const till: Till = {
    async charge({ key }) {
      charged.push(key)
      if (charged.length === 1) renameSync(file, `${file}.gone`)
      return null
    },
  }
  const packs = [definePack({ name: 'till', tools: [charge] })]
  const config = { ...read, packs, providers: { till } }
  const server = await serve(config, createLog(config))
  const call = (order: number): Promise<Response> =>
    fetch(`${server.addresses.publicUrl}/v1/tools/till.charge/call`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.welcome.demoTokens?.ann}`,
        'content-type': 'application/json',
        'idempotency-key': `order-${order}`,
      },
      body: JSON.stringify({ order }),
    })
  try {
    const first = await call(1)
    const { error, metadata } = (await first.json()) as Record<string, Record<string, unknown>>
    expect([first.status, error?.code]).toEqual([409, 'TOOL_OUTCOME_UNKNOWN'])
    expect(error?.message).toContain(metadata?.call_id)
    const next = await call(2)
    const refusal = (await next.json()) as Record<string, Record<string, unknown>>
    expect([next.status, next.headers.get('retry-after'), refusal.error?.code]).toEqual([
      503,
      '2',
      'TOOL_STORAGE_ERROR',
    ])
    expect(refusal.error?.message).toContain('deleted, replaced or overwritten')
    await expect
      .poll(async () => (await fetch(`${server.addresses.publicUrl}/readyz`)).status, {
        timeout: 60_000,
      })
      .toBe(503)
    expect(charged).toHaveLength(1)
  } finally {
    await server.stop()
  }
})
