import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/read-config.ts'
import { createScrubber, scrubValue } from './scrub.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Lines of JSON without secrets and phone numbers, on stderr: stdout may carry a protocol, or the heads of the audit. */
export function createLog(
  config: Config,
  destination: DestinationStream = pino.destination(2),
): Log {
  const scrub = createScrubber([config.metricsToken, passwordOf(config.databaseUrl)])
  return pino(
    {
      level: config.logLevel,
      base: null,
      messageKey: 'message',
      formatters: {
        level: (level) => ({ level }),
        log: (fields) => scrubValue(fields, scrub) as Record<string, unknown>,
      },
      hooks: {
        logMethod(parameters, method) {
          // a message may quote what a provider said
          const clean = parameters.map((parameter) =>
            typeof parameter === 'string' ? scrub(parameter) : parameter,
          )
          method.apply(this, clean as Parameters<typeof method>)
        },
      },
      // ours go through `log` above, where every error has become plain fields
      serializers: { err: (value: unknown) => value },
    },
    destination,
  )
}

function passwordOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).password)
}
