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

const STRING_OR_ESCAPE = /\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g

// closed strings, whole escapes, and none of `{ } ; <` outside them: those belong to style sheets
// and markup
const SELECTOR = /^(?!\s*$)(?:[^"'\\{};<]|\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')+$/

export const CssSelector = z
  .string()
  .max(1000, { abort: true })
  .regex(SELECTOR, {
    error: 'Write one CSS selector with its quotes closed, without { } ; or <.',
    abort: true,
  })
  .refine(isComplete, {
    error:
      'This selector is not complete: close its brackets, and begin and end it with something to select.',
  })
  .meta({
    title: 'CSS selector',
    description:
      'A CSS selector as querySelector takes it, at most 1000 characters. Prefer ids, data attributes and landmarks to long chains.',
    examples: ['#add-to-cart', '[data-action="checkout"]', 'main > form:not(.hidden)'],
  })

function isComplete(selector: string): boolean {
  const bare = selector.replace(STRING_OR_ESCAPE, 'x').trim()
  return !/^[,>+~]/.test(bare) && !/[,>+~]$/.test(bare) && isBalanced(bare)
}

function isBalanced(text: string): boolean {
  const expected: string[] = []
  for (const character of text) {
    if (character === '(') expected.push(')')
    if (character === '[') expected.push(']')
    if ((character === ')' || character === ']') && expected.pop() !== character) return false
  }
  return expected.length === 0
}

// WAI-ARIA 1.2, without its abstract roles: authors may not use those, so no element can be found
// by them
const ROLES = [
  'alert',
  'alertdialog',
  'application',
  'article',
  'banner',
  'blockquote',
  'button',
  'caption',
  'cell',
  'checkbox',
  'code',
  'columnheader',
  'combobox',
  'complementary',
  'contentinfo',
  'definition',
  'deletion',
  'dialog',
  'directory',
  'document',
  'emphasis',
  'feed',
  'figure',
  'form',
  'generic',
  'grid',
  'gridcell',
  'group',
  'heading',
  'img',
  'insertion',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'main',
  'marquee',
  'math',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'navigation',
  'none',
  'note',
  'option',
  'paragraph',
  'presentation',
  'progressbar',
  'radio',
  'radiogroup',
  'region',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'search',
  'searchbox',
  'separator',
  'slider',
  'spinbutton',
  'status',
  'strong',
  'subscript',
  'superscript',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'term',
  'textbox',
  'time',
  'timer',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
] as const

export const AriaRole = z.enum(ROLES).meta({
  title: 'ARIA role',
  description: 'The WAI-ARIA 1.2 role of an element on the page, in lower case.',
  examples: ['button', 'navigation', 'main'],
})
