import { z } from 'zod'

// RFC 3986 characters only, so that a client which checks `format: uri` agrees; an authority
// without @ has no user in it
const HTTP_URL =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(?::\d{1,5})?(?:[/?#][!-[\]-~]*)?$/

// not z.url(): it trims, so that the value checked is not the value sent
export const Url = z
  .string()
  .max(2048, { abort: true })
  .regex(HTTP_URL, {
    error:
      'Write an absolute http or https URL without user name, blanks or "\\"; percent-encode what is not ASCII.',
    abort: true,
  })
  .refine((url) => URL.canParse(url), { error: 'This URL has no valid host or port.' })
  .meta({
    title: 'URL',
    description: 'An absolute http or https URL without user name and password.',
    examples: ['https://shop.example/returns?order=17#form'],
    format: 'uri',
  })

// Browsers read "\" as "/", drop tabs and line breaks, and read %2e as a dot: each would lead to
// another address than the one that was checked.
const PATH =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
  /^(?!\/\/)(?:\/(?!(?:\.|%2[Ee]){1,2}(?:[/?#]|$))[^\s\\/?#\x00-\x1f\x7f-\x9f]*)+(?:[?#][^\s\\\x00-\x1f\x7f-\x9f]*)?$/

export const Path = z
  .string()
  .max(2048, { abort: true })
  .regex(PATH, {
    error: 'Write a path of this site: one "/" first, no "\\", no blanks, no "." or ".." segments.',
  })
  .meta({
    title: 'path',
    description:
      'A path on the current site, with query and fragment if needed. It begins with exactly one "/".',
    examples: ['/', '/products/shoes?colour=blue#reviews'],
  })
