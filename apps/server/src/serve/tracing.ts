import type { Telemetry } from '@surehand/core/ports'
import { otelTelemetry } from '@surehand/telemetry'

export type Tracing = {
  readonly telemetry: Telemetry /** Sends the spans that are still queued. */
  readonly close: () => Promise<void>
}

/**
 * Sends spans of calls and stages to a collector, in batches. Loaded only where one is configured.
 */
export async function startTracing(endpoint: string): Promise<Tracing> {
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env.OTEL_SERVICE_NAME ?? 'surehand',
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: tracesUrl(endpoint) }))],
  })
  return { telemetry: otelTelemetry(provider), close: () => provider.shutdown() }
}

// The setting names the collector; the exporter needs the path for spans.
function tracesUrl(endpoint: string): string {
  return endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`
}
