import { context, createContextKey, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { CallMeasure } from '@surehand/core/ports'
import { describe, expect, test, vi } from 'vitest'
import { otelTelemetry } from './otel.ts'

function recording(): {
  readonly provider: BasicTracerProvider
  readonly spans: () => readonly ReadableSpan[]
} {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { provider, spans: () => exporter.getFinishedSpans() }
}

const start = { callId: 'call_1', tool: 'booking.bookSlot', tenant: 'acme' }
const measure: CallMeasure = {
  ...start,
  surface: 'mcp',
  outcome: 'done',
  source: 'executed',
  code: '',
  durationMs: 12.5,
  latencyBudgetMs: 400,
  bytesIn: 120,
  bytesOut: 80,
}

describe('a call', () => {
  test('is a span with the attributes of the GenAI conventions and the measurements', () => {
    const { provider, spans } = recording()
    otelTelemetry(provider).startCall(start).end(measure)
    expect(spans()).toHaveLength(1)
    expect(spans()[0]).toMatchObject({
      name: 'execute_tool booking.bookSlot',
      kind: 0,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'booking.bookSlot',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': 'call_1',
        'surehand.tenant': 'acme',
        'surehand.surface': 'mcp',
        'surehand.outcome': 'done',
        'surehand.source': 'executed',
        'surehand.duration_ms': 12.5,
        'surehand.latency_budget_ms': 400,
        'surehand.over_budget': false,
        'surehand.bytes_in': 120,
        'surehand.bytes_out': 80,
      },
    })
    expect(spans()[0]?.attributes).not.toHaveProperty('error.type')
  })

  test('that failed has its code as the error', () => {
    const { provider, spans } = recording()
    otelTelemetry(provider)
      .startCall(start)
      .end({ ...measure, outcome: 'failed', code: 'TOOL_GATE_CLOSED' })
    expect(spans()[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: 'TOOL_GATE_CLOSED' },
      attributes: { 'error.type': 'TOOL_GATE_CLOSED', 'surehand.code': 'TOOL_GATE_CLOSED' },
    })
  })

  test('that waits for approval is not an error', () => {
    const { provider, spans } = recording()
    otelTelemetry(provider)
      .startCall(start)
      .end({ ...measure, outcome: 'pending', source: '' })
    expect(spans()[0]?.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('that exceeds its latency budget is marked, and a call without a budget is not', () => {
    const { provider, spans } = recording()
    const telemetry = otelTelemetry(provider)
    telemetry.startCall(start).end({ ...measure, durationMs: 401 })
    telemetry.startCall(start).end({ ...measure, durationMs: 401, latencyBudgetMs: 0 })
    expect(spans().map((span) => span.attributes['surehand.over_budget'])).toEqual([true, false])
  })

  test('by an alias gets the name of the tool, and a long name is cut', () => {
    const { provider, spans } = recording()
    const telemetry = otelTelemetry(provider)
    telemetry.startCall({ ...start, tool: 'book_slot' }).end(measure)
    telemetry
      .startCall({ ...start, tool: 'x'.repeat(10_000) })
      .end({ ...measure, tool: 'x'.repeat(10_000) })
    expect(spans().map((span) => [span.name.length, span.attributes['gen_ai.tool.name']])).toEqual([
      ['execute_tool booking.bookSlot'.length, 'booking.bookSlot'],
      ['execute_tool '.length + 129, `${'x'.repeat(128)}…`],
    ])
  })

  test('is a child of the span that is active when it starts', () => {
    const { provider, spans } = recording()
    const parent = provider.getTracer('host').startSpan('chat')
    const active = vi.spyOn(context, 'active').mockReturnValue(trace.setSpan(ROOT_CONTEXT, parent))
    const span = otelTelemetry(provider).startCall(start)
    active.mockReturnValue(ROOT_CONTEXT.setValue(createContextKey('other'), 1))
    span.stage?.({
      step: 'resolve',
      tool: start.tool,
      tenant: start.tenant,
      outcome: 'passed',
      durationMs: 0,
    })
    span.end(measure)
    active.mockRestore()
    const [stage, call] = spans()
    expect(call?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId)
    expect(stage?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
    expect(new Set([stage, call].map((one) => one?.spanContext().traceId))).toEqual(
      new Set([parent.spanContext().traceId]),
    )
  })

  test('accepts a tracer or a provider', () => {
    const { provider, spans } = recording()
    otelTelemetry(provider.getTracer('mine')).startCall(start).end(measure)
    expect(spans()[0]?.instrumentationScope.name).toBe('mine')
  })
})

describe('a stage', () => {
  test('is a child span with step, outcome and its own time within the call', async () => {
    const { provider, spans } = recording()
    const span = otelTelemetry(provider).startCall(start)
    await new Promise((resolve) => setTimeout(resolve, 5))
    span.stage?.({
      step: 'validate',
      tool: start.tool,
      tenant: start.tenant,
      outcome: 'passed',
      durationMs: 2,
    })
    span.stage?.({
      step: 'authorize',
      tool: start.tool,
      tenant: start.tenant,
      outcome: 'refused',
      durationMs: 1_000,
    })
    span.end({ ...measure, outcome: 'failed', code: 'TOOL_CAPABILITY_MISSING' })
    const [validate, authorize, call] = spans()
    expect(
      [validate, authorize].map((one) => [one?.name, one?.attributes, one?.status.code]),
    ).toEqual([
      [
        'stage validate',
        {
          'surehand.stage': 'validate',
          'surehand.stage.outcome': 'passed',
          'surehand.duration_ms': 2,
        },
        SpanStatusCode.UNSET,
      ],
      [
        'stage authorize',
        {
          'surehand.stage': 'authorize',
          'surehand.stage.outcome': 'refused',
          'surehand.duration_ms': 1_000,
        },
        SpanStatusCode.ERROR,
      ],
    ])
    const [begun, ended] = [nanoseconds(call?.startTime), nanoseconds(call?.endTime)]
    for (const stage of [validate, authorize]) {
      expect(stage?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
      expect(nanoseconds(stage?.startTime)).toBeGreaterThanOrEqual(begun)
      expect(nanoseconds(stage?.endTime)).toBeLessThanOrEqual(ended)
    }
    expect(Number(nanoseconds(validate?.duration)) / 1e6).toBeCloseTo(2, 1)
  })
})

describe('a call that is not sampled', () => {
  test('does not measure stages and exports nothing', () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({
      sampler: new AlwaysOffSampler(),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    const span = otelTelemetry(provider).startCall(start)
    span.end(measure)
    expect(span.stage).toBeUndefined()
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  test('is the same where no SDK is registered', () => {
    expect(otelTelemetry().startCall(start).stage).toBeUndefined()
  })
})

function nanoseconds(time: readonly [number, number] | undefined): bigint {
  return BigInt(time?.[0] ?? 0) * 1_000_000_000n + BigInt(time?.[1] ?? 0)
}
