import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const MEASURE = {
  callId: 'call_1',
  tool: 'shop.buy',
  tenant: 'demo',
  surface: 'http',
  outcome: 'done',
  source: 'executed',
  code: '',
  durationMs: 30,
  latencyBudgetMs: 20,
  bytesIn: 1,
  bytesOut: 1,
}

test('calls are counted by how they ended, timed, and held against their budget', () => {
  const metrics = createMetrics((id) => id === 'shop.buy')
  const span = metrics.telemetry.startCall({ callId: 'call_1', tool: 'shop.buy', tenant: 'demo' })
  span.end(MEASURE)
  span.end({ ...MEASURE, durationMs: 3 })
  span.end({ ...MEASURE, tool: 'made"up\nname', outcome: 'failed', code: 'TOOL_NOT_FOUND' })
  const text = metrics.text()
  metrics.close()
  expect(text).toContain(
    'surehand_calls_total{tool="shop.buy",outcome="done",source="executed",code="",surface="http"} 2',
  )
  expect(text).toContain(
    'surehand_calls_total{tool="unknown",outcome="failed",source="executed",code="TOOL_NOT_FOUND",surface="http"} 1',
  )
  expect(text).toContain('surehand_calls_over_budget_total{tool="shop.buy"} 1')
  expect(text).toContain('surehand_call_duration_seconds_bucket{tool="shop.buy",le="0.005"} 1')
  expect(text).toContain('surehand_call_duration_seconds_bucket{tool="shop.buy",le="0.05"} 2')
  expect(text).toContain('surehand_call_duration_seconds_bucket{tool="shop.buy",le="+Inf"} 2')
  expect(text).not.toContain('made')
  // the format: every line is a comment or a name with a number
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) |[a-z0-9_]+(?:\{[^\n]*\})? [\d.e+-]+$)/)
})
