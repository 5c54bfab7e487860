export type EgressLimits = {
  /** Finding the addresses of a name, and then connecting, TLS included: each as long as this. */
  readonly connectMs: number
  /** From the request's first byte to the whole head of the answer. */
  readonly headersMs: number
  /** Everything, redirects and the body included. */
  readonly wholeMs: number
  /** Of the body, as it came and as it was unpacked. */
  readonly maxBytes: number
  /** How many bytes one packed byte may become. */
  readonly maxRatio: number
  readonly maxRedirects: number
}

export const DEFAULT_LIMITS: EgressLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  wholeMs: 30_000,
  maxBytes: 5 * 1024 * 1024,
  maxRatio: 100,
  maxRedirects: 5,
}
