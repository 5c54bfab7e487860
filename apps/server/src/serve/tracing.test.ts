import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from './serve.ts'

type Span = { readonly name: string; readonly parentSpanId?: string; readonly spanId: string }
type Sent = { readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[] }

/** A collector that keeps what it is sent. */
async function startCollector(): Promise<{ readonly url: string; readonly spans: Span[] }> {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(await text(request)) as Sent
    if (request.url === '/v1/traces')
      spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

test('where a collector is configured, every call is sent there with its stages', async () => {
  const collector = await startCollector()
  const env = { SUREHAND_PORT: '0', SUREHAND_DEMO: 'yes', SUREHAND_LOG_LEVEL: 'silent', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const config = await readConfig({ env, folder: mkdtempSync(join(tmpdir(), 'surehand-tracing-')) })
  const serving = await serve(config, createLog(config))
  const headers = { authorization: `Bearer ${serving.welcome.demoTokens?.ann}`, 'content-type': 'application/json' }
  const answer = await fetch(`${serving.addresses.publicUrl}/v1/tools/shop.price/call`, {
    method: 'POST',
    headers,
    body: '{"productId":"tea"}',
  })
  expect(answer.status).toBe(200)
  await serving.stop()
  const call = collector.spans.find(({ name }) => name === 'execute_tool shop.price')
  expect(call).toBeDefined()
  const stages = collector.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId).map(({ name }) => name)
  expect(stages).toEqual(expect.arrayContaining(['stage resolve', 'stage validate', 'stage authorize', 'stage perform']))
})
