import type { JsonRequest, VendorAccess } from '@surehand/vendors'

/** A request to Duffel's API v2. Bodies are wrapped in `data`. */
export function duffelRequest(
  { baseUrl, key }: Pick<VendorAccess, 'baseUrl' | 'key'>,
  request: {
    readonly method?: 'GET' | 'POST'
    readonly path: string
    readonly data?: unknown
    readonly signal: AbortSignal
  },
): JsonRequest {
  const { method = 'GET', path, data, signal } = request
  return {
    vendor: 'Duffel',
    url: `${baseUrl}${path}`,
    method,
    headers: { authorization: `Bearer ${key}`, 'duffel-version': 'v2' },
    ...(data === undefined ? {} : { body: { data } }),
    signal,
  }
}
