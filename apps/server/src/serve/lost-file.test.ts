import { mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, definePort, defineTool, sameKey } from '@surehand/core'
import { canOpenSmallDisk, openSmallDisk } from '@surehand/testing'
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

/** A server on SQLite, whose provider does this harm to the data folder after its first effect. */
async function serveTill(folder: string, harm: (data: string) => void) {
  const env = { SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' }
  const read = await readDemoConfig({ env, folder })
  const charged: string[] = []
  const till: Till = {
    async charge({ key }) {
      charged.push(key)
      if (charged.length === 1) harm(read.data)
      return null
    },
  }
  const packs = [definePack({ name: 'till', tools: [charge] })]
  const config = { ...read, packs, providers: { till } }
  const { addresses, welcome, stop } = await serve(config, createLog(config))
  const call = async (order: number) => {
    const response = await fetch(`${addresses.publicUrl}/v1/tools/till.charge/call`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${welcome.demoTokens?.ann}`,
        'content-type': 'application/json',
        'idempotency-key': `order-${order}`,
      },
      body: JSON.stringify({ order }),
    })
    const { error, metadata } = (await response.json()) as Envelope
    return { status: response.status, headers: response.headers, error, metadata }
  }
  return { call, charged, stop, url: addresses.publicUrl }
}

type Envelope = {
  readonly error?: { readonly code: string; readonly message: string }
  readonly metadata: { readonly call_id: string }
}

test('a database file that is moved away while a provider works: the outcome is unknown, then nothing more is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-lost-file-'))
  const { call, charged, stop, url } = await serveTill(folder, (data) =>
    renameSync(join(data, 'surehand.db'), join(data, 'surehand.db.gone')),
  )
  try {
    const first = await call(1)
    expect([first.status, first.error?.code]).toEqual([409, 'TOOL_OUTCOME_UNKNOWN'])
    expect(first.error?.message).toContain(first.metadata.call_id)
    const next = await call(2)
    expect([next.status, next.headers.get('retry-after'), next.error?.code]).toEqual([
      503,
      '2',
      'TOOL_STORAGE_ERROR',
    ])
    expect(next.error?.message).toContain('deleted, replaced or overwritten')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
    expect(charged).toHaveLength(1)
  } finally {
    await stop()
  }
})

// Not every process may mount a disk; `npm run chaos -- --scenario lost-store` says so.
if (canOpenSmallDisk())
  test('a disk that gets full while a provider works: the outcome is unknown, and known when there is room again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'surehand-full-disk-'))
    const disk = openSmallDisk(folder)
    let free = (): void => undefined
    const { call, charged, stop } = await serveTill(folder, () => {
      free = disk.fill()
    })
    try {
      const first = await call(1)
      expect([first.status, first.error?.code]).toEqual([409, 'TOOL_OUTCOME_UNKNOWN'])
      expect(first.error?.message).toContain(first.metadata.call_id)
      free()
      await expect.poll(async () => (await call(1)).status).toBe(200)
      // The provider may be asked again, under the key by which it recognizes the order.
      expect(new Set(charged).size).toBe(1)
    } finally {
      await stop()
      disk.close()
    }
  })
