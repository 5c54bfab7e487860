import type { PackGiven } from '@surehand/core/host'
import type { Fetch } from './send-json.ts'

/** How a provider reaches its vendor. */
export type VendorAccess = {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly key: string
  /** The `fetch` for calls of this tenant: it goes through the egress rules of the server. */
  readonly fetchFor: (tenant: string) => Fetch
}

/** What configures a vendor. The pack declares the secret and the setting in its `needs`. */
export type VendorNames = {
  /** The secret that holds the vendor's key. */
  readonly secret: string
  /** The setting with another base URL than the vendor's own, such as an emulator's. */
  readonly setting: string
  readonly defaultUrl: string
  /** The largest response body; the server's default if it is left out. */
  readonly maxBytes?: number
}

/**
 * Access to a vendor, or undefined if its key is not set: then the pack uses its local provider.
 *
 * @example
 * const access = openVendorAccess(given, {
 *   secret: 'GOOGLE_MAPS_KEY',
 *   setting: 'GOOGLE_PLACES_URL',
 *   defaultUrl: 'https://places.googleapis.com',
 * })
 * const places = access === undefined ? localPlaces() : googlePlaces(access)
 */
export function openVendorAccess(
  given: Pick<PackGiven, 'secret' | 'setting' | 'fetch'>,
  { secret, setting, defaultUrl, maxBytes }: VendorNames,
): VendorAccess | undefined {
  const key = given.secret(secret)
  if (key === undefined) return undefined
  const configuredUrl = given.setting(setting)
  const options = {
    // An emulator often has a private address, which egress refuses unless it is trusted.
    ...(configuredUrl === undefined ? {} : { trusted: configuredUrl }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  }
  return {
    baseUrl: configuredUrl ?? defaultUrl,
    key,
    fetchFor: (tenant) => given.fetch({ tenant, ...options }),
  }
}
