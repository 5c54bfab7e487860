import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, defineTool } from '@surehand/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from './serve.ts'

const broken = defineTool({
  id: 'broken.read',
  description: 'Reads from a database that refuses it.',
  input: z.object({}),
  output: z.null(),
  contract: { effect: 'read' },
  execute: async () => {
    throw new Error('cannot connect to postgres://surehand:hunter2@db:5432')
  },
})

test('the server logs an unexpected exception, and answers with its code and the call id only', async () => {
  const read = await readDemoConfig({
    env: { SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' },
    folder: mkdtempSync(join(tmpdir(), 'surehand-unexpected-')),
  })
  const config = { ...read, packs: [definePack({ name: 'broken', tools: [broken] })] }
  const logged: unknown[] = []
  const log = Object.assign(Object.create(createLog(config)), {
    error: (entry: unknown) => logged.push(entry),
  })
  const server = await serve(config, log)
  try {
    const response = await fetch(`${server.addresses.publicUrl}/v1/tools/broken.read/call`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.welcome.demoTokens?.ann}`,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    const text = await response.text()
    const { error, metadata } = JSON.parse(text)
    expect(text).not.toContain('hunter2')
    expect(error.code).toBe('TOOL_INTERNAL_ERROR')
    expect(error.message).toContain(metadata.call_id)
    expect(logged).toEqual([
      {
        err: expect.objectContaining({ message: expect.stringContaining('hunter2') }),
        callId: metadata.call_id,
      },
    ])
  } finally {
    await server.stop()
  }
})
