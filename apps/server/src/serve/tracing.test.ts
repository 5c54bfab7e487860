import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCollector } from '../fixtures/collector.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from './serve.ts'

test('where a collector is configured, every call is sent there with its stages', async () => {
  const collector = await startCollector()
  const env = {
    SUREHAND_PORT: '0',
    SUREHAND_LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }
  const config = await readDemoConfig({
    env,
    folder: mkdtempSync(join(tmpdir(), 'surehand-tracing-')),
  })
  const serving = await serve(config, createLog(config))
  const headers = {
    authorization: `Bearer ${serving.welcome.demoTokens?.ann}`,
    'content-type': 'application/json',
  }
  const answer = await fetch(`${serving.addresses.publicUrl}/v1/tools/shop.price/call`, {
    method: 'POST',
    headers,
    body: '{"productId":"tea"}',
  })
  expect(answer.status).toBe(200)
  await serving.stop()
  const call = collector.spans.find(({ name }) => name === 'execute_tool shop.price')
  expect(call).toBeDefined()
  const stages = collector.spans
    .filter(({ parentSpanId }) => parentSpanId === call?.spanId)
    .map(({ name }) => name)
  expect(stages).toEqual(
    expect.arrayContaining(['stage resolve', 'stage validate', 'stage authorize', 'stage perform']),
  )
})
