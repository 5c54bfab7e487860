import {
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { CallMeasure, CallSpan, StageMeasure, Telemetry } from '@surehand/core/ports'

// A caller's text becomes the name of a span before the tool is known to exist, so its length is
// limited.
const MAX_NAME_LENGTH = 128

export type OtelOptions = {
  /**
   * One span per stage in addition to the call's (the default), or only the call's, at a tenth of
   * the cost.
   */
  readonly stages?: 'spans' | 'none'
}

const NOT_RECORDED: CallSpan = { end: () => undefined }

/**
 * Writes spans for calls and their stages, with the names of OpenTelemetry's GenAI conventions. A
 * call is a child of the span that is active when it starts. A call that is not sampled costs one
 * span that records nothing.
 */
export function otelTelemetry(
  source: Tracer | TracerProvider = trace.getTracerProvider(),
  options: OtelOptions = {},
): Telemetry {
  const tracer = 'getTracer' in source ? source.getTracer('@surehand/telemetry') : source
  return {
    startCall({ callId, tool, tenant }) {
      const startedAt = now()
      const parent = context.active()
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': truncateName(tool),
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': callId,
        'surehand.tenant': tenant,
      }
      const span = tracer.startSpan(
        spanName(tool),
        { kind: SpanKind.INTERNAL, startTime: startedAt, attributes },
        parent,
      )
      if (!span.isRecording()) return NOT_RECORDED
      const open = { tracer, span, parent, tool, startedAt }
      return options.stages === 'none'
        ? { end: (measure) => endCall(measure, open) }
        : createCallSpan(open)
    },
  }
}

type OpenCall = {
  readonly tracer: Tracer
  readonly span: Span
  readonly parent: Context
  readonly tool: string
  readonly startedAt: number
}

function createCallSpan(open: OpenCall): CallSpan {
  let within: Context | undefined
  return {
    stage(measure) {
      within ??= trace.setSpan(open.parent, open.span)
      writeStageSpan(measure, open, within)
    },
    end: (measure) => endCall(measure, open),
  }
}

// A stage is reported when it has ended, so the start of its span is computed from its duration.
function writeStageSpan(
  { step, outcome, durationMs }: StageMeasure,
  { tracer, startedAt }: OpenCall,
  within: Context,
): void {
  const endTime = now()
  const startTime = Math.max(startedAt, endTime - durationMs)
  const attributes = {
    'surehand.stage': step,
    'surehand.stage.outcome': outcome,
    'surehand.duration_ms': durationMs,
  }
  const span = tracer.startSpan(
    `stage ${step}`,
    { kind: SpanKind.INTERNAL, startTime, attributes },
    within,
  )
  if (outcome === 'refused') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endTime)
}

function endCall(measure: CallMeasure, { span, tool }: OpenCall): void {
  // The call used an alias or an older name of the tool.
  if (measure.tool !== tool) {
    span.updateName(spanName(measure.tool))
    span.setAttribute('gen_ai.tool.name', truncateName(measure.tool))
  }
  span.setAttributes({
    'surehand.surface': measure.surface,
    'surehand.outcome': measure.outcome,
    'surehand.source': measure.source,
    'surehand.duration_ms': measure.durationMs,
    'surehand.latency_budget_ms': measure.latencyBudgetMs,
    'surehand.over_budget':
      measure.latencyBudgetMs > 0 && measure.durationMs > measure.latencyBudgetMs,
    'surehand.bytes_in': measure.bytesIn,
    'surehand.bytes_out': measure.bytesOut,
  })
  if (measure.outcome === 'failed') {
    span.setAttributes({ 'surehand.code': measure.code, 'error.type': measure.code })
    span.setStatus({ code: SpanStatusCode.ERROR, message: measure.code })
  }
  span.end(now())
}

function spanName(tool: string): string {
  return `execute_tool ${truncateName(tool)}`
}

function truncateName(tool: string): string {
  return tool.length > MAX_NAME_LENGTH ? `${tool.slice(0, MAX_NAME_LENGTH)}…` : tool
}

// One clock for a call and its stages: the SDK's clock is anchored per trace, so children could
// start before their parent. Its origin never changes, and takes longer to read than the time since.
const { timeOrigin } = performance

function now(): number {
  return timeOrigin + performance.now()
}
