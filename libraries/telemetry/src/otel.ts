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

// whatever a stranger calls a tool becomes a span's name until it is found that there is none
const MAX_NAME = 128

export type OtelOptions = {
  /** A span a stage beside the call's own (the default), or the call's alone, at a tenth of the cost. */
  readonly stages?: 'spans' | 'none'
}

const unheard: CallSpan = { end: () => undefined }

/**
 * Spans of calls and their stages, named as the GenAI conventions say. A child of whatever span is active when the call
 * begins; a call that nobody samples costs one span that records nothing.
 */
export function otelTelemetry(
  source: Tracer | TracerProvider = trace.getTracerProvider(),
  options: OtelOptions = {},
): Telemetry {
  const tracer = 'getTracer' in source ? source.getTracer('@surehand/kit') : source
  return {
    startCall({ callId, tool, tenant }) {
      const startedAt = now()
      const parent = context.active()
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': shortened(tool),
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': callId,
        'surehand.tenant': tenant,
      }
      const span = tracer.startSpan(
        spanName(tool),
        { kind: SpanKind.INTERNAL, startTime: startedAt, attributes },
        parent,
      )
      if (!span.isRecording()) return unheard
      const open = { tracer, span, parent, tool, startedAt }
      return options.stages === 'none'
        ? { end: (measure) => endCall(measure, open) }
        : callSpan(open)
    },
  }
}

type Open = {
  readonly tracer: Tracer
  readonly span: Span
  readonly parent: Context
  readonly tool: string
  readonly startedAt: number
}

function callSpan(open: Open): CallSpan {
  let within: Context | undefined
  return {
    stage(measure) {
      within ??= trace.setSpan(open.parent, open.span)
      stageSpan(measure, open, within)
    },
    end: (measure) => endCall(measure, open),
  }
}

// a stage is told when it is over: its span is written backwards from there
function stageSpan(
  { step, outcome, durationMs }: StageMeasure,
  { tracer, startedAt }: Open,
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

function endCall(measure: CallMeasure, { span, tool }: Open): void {
  // an alias or an older name was asked for
  if (measure.tool !== tool) span.updateName(spanName(measure.tool))
  span.setAttributes({
    'gen_ai.tool.name': shortened(measure.tool),
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
  return `execute_tool ${shortened(tool)}`
}

function shortened(tool: string): string {
  return tool.length > MAX_NAME ? `${tool.slice(0, MAX_NAME)}…` : tool
}

// one clock for a call and its stages: the SDK's own anchors each trace anew, and children would start before their parent
function now(): number {
  return performance.timeOrigin + performance.now()
}
