/** Percent-encodes everything except the unreserved characters of RFC 3986. */
export function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Encodes the fixed text of a path; what is already encoded stays. */
export function percentLiteral(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll(/%25([0-9A-F]{2})/gi, '%$1')
}

// Not `#`, which ends the query, nor `&`, `=` and `+`, which have a meaning in it.
const RESERVED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g

/** Like `percent`, but keeps the reserved characters that have no meaning in a query. */
export function percentReserved(text: string): string {
  return percent(text).replaceAll(RESERVED, decodeURIComponent)
}
