import { ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import type { Implementation, ToolImplementation } from '@surehand/core/internal'
import { wholeText } from './whole-text.ts'

export type ExternalApiOptions = {
  /** Where each module of a document lives; nothing else is reached. */
  readonly baseUrls: Readonly<Record<string, string>>
  readonly fetch?: typeof globalThis.fetch
}

/** Runs `external_api` tools: the input is posted as JSON, with the call's key, to the function's path under its module's address. */
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
        `No address is given for the module "${named.module}".`,
        {
          suggestions: [
            `Hand it in: externalApiImplementation({ baseUrls: { "${named.module}": … } }).`,
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
          provider_message: wholeText(text),
        })
      try {
        return JSON.parse(text) as unknown
      } catch (cause) {
        throw new ToolError(
          'TOOL_EXTERNAL_SERVICE_ERROR',
          `${named.module} did not answer in JSON.`,
          { cause, effect: 'possible' },
        )
      }
    }
  }
}
