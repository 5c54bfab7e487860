// RFC 3986: everything but unreserved characters
/** Percent-encoding that no server can read as anything but the text itself. */
export function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The fixed text of a path, with only what an address can't hold encoded. */
export function percentLiteral(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll(/%25([0-9A-F]{2})/gi, '%$1')
}

// `#` would end the query, and `&`, `=` and `+` would be read as something else
const RESERVED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g

/** The same, with the reserved characters left alone that mean nothing in a query. */
export function percentReserved(text: string): string {
  return percent(text).replaceAll(RESERVED, decodeURIComponent)
}
