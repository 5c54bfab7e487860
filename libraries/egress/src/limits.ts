export type EgressLimits = {
  /** For the DNS lookup, and again for connecting with TLS. */
  readonly connectMs: number
  /** From the first byte of the request to the end of the response headers. */
  readonly headersMs: number
  /** For everything, including redirects and the body. */
  readonly totalMs: number
  /** Size of the body, both compressed and decompressed. */
  readonly maxBytes: number
  /** How many bytes one compressed byte may become. */
  readonly maxRatio: number
  readonly maxRedirects: number
}

export const DEFAULT_LIMITS: EgressLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  totalMs: 30_000,
  maxBytes: 5 * 1024 * 1024,
  maxRatio: 100,
  maxRedirects: 5,
}
