import { isToolError } from '@surehand/core'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/read-config.ts'
import { createScrubber, scrubValue } from './scrub.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * Writes JSON lines without secrets and phone numbers to stderr: stdout may carry a protocol or
 * audit heads.
 */
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
          // A message may quote a provider's text.
          const clean = parameters.map((parameter) =>
            typeof parameter === 'string' ? scrub(parameter) : parameter,
          )
          method.apply(this, clean as Parameters<typeof method>)
        },
      },
      // `formatters.log` above has turned errors into plain fields already.
      serializers: { err: (value: unknown) => value },
    },
    destination,
  )
}

/**
 * Logs what went wrong in background work. Trouble with another server is one line; a fault of this
 * program comes with its stack.
 */
export function logTrouble(log: Log): (thrown: unknown) => void {
  return (thrown) =>
    isToolError(thrown) && thrown.code !== 'TOOL_INTERNAL_ERROR'
      ? log.warn({ code: thrown.code }, `background work failed: ${thrown.message}`)
      : log.error({ err: thrown }, 'background work failed')
}

function passwordOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).password)
}
