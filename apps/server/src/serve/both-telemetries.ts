import type { Telemetry } from '@surehand/core/ports'

/** Reports each call to both. */
export function bothTelemetries(one: Telemetry, other: Telemetry): Telemetry {
  return {
    startCall(start) {
      const spans = [one.startCall(start), other.startCall(start)]
      const staged = spans.flatMap(({ stage }) => (stage === undefined ? [] : [stage]))
      return {
        ...(staged.length === 0
          ? {}
          : {
              stage: (measure) => {
                for (const stage of staged) stage(measure)
              },
            }),
        end: (measure) => {
          for (const { end } of spans) end(measure)
        },
      }
    },
  }
}
