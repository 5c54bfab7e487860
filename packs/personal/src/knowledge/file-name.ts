import { nameKey } from '../name-key.ts'

// Characters that Windows, macOS, Linux or a wiki link do not allow in a name, and invisible ones.
const UNFIT = /[<>:"/\\|?*#^[\]]|\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const LONGEST_BYTES = 180
const LONGEST_PATH = 400
const DEEPEST = 10

/**
 * Makes a file name from a title that is valid on every system. The same title gives the same name.
 */
export function fileNameOf(title: string): string {
  const fit = title.normalize('NFC').replace(UNFIT, ' ').replace(/\s+/g, ' ').trim()
  const name = shorten(fit.replace(/^\.+/, '').trim()).replace(/[. ]+$/, '')
  if (name === '') return 'Untitled'
  return RESERVED.test(name) ? `_${name}` : name
}

function shorten(name: string): string {
  let short = ''
  let bytes = 0
  for (const sign of name) {
    bytes += new TextEncoder().encode(sign).length
    if (bytes > LONGEST_BYTES) break
    short += sign
  }
  return short
}

/** Makes a folder that is valid on every system; '' is the top folder. */
export function cleanFolder(typed: string): string {
  const parts = typed
    .split(/[/\\]+/)
    .filter((part) => part.trim() !== '' && !/^\.+$/.test(part.trim()))
  return parts
    .slice(0, DEEPEST - 1)
    .map(fileNameOf)
    .join('/')
}

export function pathOf(folder: string, name: string): string {
  return folder === '' ? `${name}.md` : `${folder}/${name}.md`
}

/** The name without folder and extension, as a `[[wiki link]]` uses it. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
}

/**
 * The form in which paths are compared: on many disks, case and the encoding of accents make no
 * difference.
 */
export function pathKey(path: string): string {
  return nameKey(path)
}

/** Adds a number to a name that is taken. */
export function addNumber(path: string, number: number): string {
  return number < 2 ? path : path.replace(/\.md$/i, ` ${number}.md`)
}

/** Whether the path is a Markdown file below its folder. Paths from outside are not trusted. */
export function isNotePath(path: string): boolean {
  if (path.length > LONGEST_PATH || !/\.md$/i.test(path) || !path.isWellFormed()) return false
  const parts = path.split('/')
  return parts.length <= DEEPEST && parts.every(isValidPart)
}

// Names that begin with a dot belong to Obsidian or the operating system.
function isValidPart(part: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes them
  return part.trim() !== '' && !part.startsWith('.') && !/[\\\u0000-\u001f\u007f]/.test(part)
}
