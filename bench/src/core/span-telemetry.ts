import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Telemetry } from '../../../core/src/index.ts'

/** One span a call, in the words of the GenAI conventions, until `kit` has the adapter. Stages are not recorded. */
export function spanTelemetry(tracer: Tracer): Telemetry {
  return {
    startCall({ callId, tool, tenant }) {
      const span = tracer.startSpan(`execute_tool ${tool}`, {
        kind: SpanKind.INTERNAL,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.call.id': callId,
          'surehand.tenant': tenant,
        },
      })
      return {
        end({ outcome, source, code }) {
          span.setAttribute('surehand.outcome', outcome)
          span.setAttribute('surehand.source', source)
          if (code !== '') span.setStatus({ code: SpanStatusCode.ERROR, message: code })
          span.end()
        },
      }
    },
  }
}
