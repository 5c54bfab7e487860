import type { CallSpan, Telemetry } from '../ports/telemetry.ts'

type Start = Parameters<Telemetry['startCall']>[0]

/** A span that can't hurt the call it watches: what breaks in telemetry breaks there. */
export function quietSpan(telemetry: Telemetry | undefined, start: Start): CallSpan | undefined {
  if (telemetry === undefined) return undefined
  const span = quietly(() => telemetry.startCall(start))
  if (span === undefined) return undefined
  const { stage } = span
  return {
    end: (measure) => quietly(() => span.end(measure)),
    ...(stage === undefined
      ? {}
      : { stage: (measure) => quietly(() => stage.call(span, measure)) }),
  }
}

function quietly<T>(watch: () => T): T | undefined {
  try {
    return watch()
  } catch {
    return undefined
  }
}
