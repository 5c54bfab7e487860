import { ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import type { Implementation, ToolImplementation } from '@surehand/documents'
import { omitLongText } from './omit-long-text.ts'

export type ExternalApiOptions = {
  /** The base URL of each module of a document. Other modules are refused. */
  readonly baseUrls: Readonly<Record<string, string>>
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Runs `external_api` tools: posts the input as JSON, with the call's idempotency key, to the
 * function's path below its module's base URL.
 */
export function externalApiImplementation(
  options: ExternalApiOptions,
): (named: ToolImplementation) => Implementation {
  const send = options.fetch ?? globalThis.fetch
  return (named) => {
    const base = Object.hasOwn(options.baseUrls, named.module)
      ? options.baseUrls[named.module]
      : undefined
    if (base === undefined)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `No base URL is configured for the module "${named.module}".`,
        {
          suggestions: [
            `Configure it: externalApiImplementation({ baseUrls: { "${named.module}": … } }).`,
          ],
        },
      )
    const url = new URL(encodeURIComponent(named.function), base.endsWith('/') ? base : `${base}/`)
    return async (input, { idempotencyKey, signal }) => {
      const response = await send(url, {
        method: 'POST',
        redirect: 'error',
        signal,
        body: JSON.stringify(input),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'idempotency-key': idempotencyKey,
        },
      }).catch((cause: unknown) => {
        throw fromNetworkFailure(cause, named.module)
      })
      const text = await response.text()
      if (!response.ok)
        throw fromProviderStatus(response.status, `${named.module} answered ${response.status}.`, {
          provider_message: omitLongText(text),
        })
      try {
        return JSON.parse(text) as unknown
      } catch (cause) {
        throw new ToolError(
          'TOOL_EXTERNAL_SERVICE_ERROR',
          `${named.module} did not answer with JSON.`,
          { cause, effect: 'possible' },
        )
      }
    }
  }
}
