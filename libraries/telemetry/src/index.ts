export { otelTelemetry } from './otel.ts'
