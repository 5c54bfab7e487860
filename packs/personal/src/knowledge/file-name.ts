import { nameKey } from '../name-key.ts'

// what Windows, macOS, Linux or a wiki link can not have in a name, and what nobody sees
const UNFIT = /[<>:"/\\|?*#^[\]]|\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const LONGEST_BYTES = 180
const LONGEST_PATH = 400
const DEEPEST = 10

/** A title as a name that a file may have anywhere; the same title gives the same name. */
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

/** A folder as somebody typed it, fit for all systems; '' is the top. */
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

/** Its name without folder and ending: what `[[…]]` calls it. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
}

/** Two paths with one key are one file where case, or the way an accent is written, makes no difference. */
export function pathKey(path: string): string {
  return nameKey(path)
}

/** The same name with a number, for when it is taken. */
export function addNumber(path: string, number: number): string {
  return number < 2 ? path : path.replace(/\.md$/i, ` ${number}.md`)
}

/** Is it a Markdown file below its folder, whoever made up the path? */
export function isNotePath(path: string): boolean {
  if (path.length > LONGEST_PATH || !/\.md$/i.test(path) || !path.isWellFormed()) return false
  const parts = path.split('/')
  return parts.length <= DEEPEST && parts.every(isValidPart)
}

// what begins with a dot is Obsidian's own, or the system's
function isValidPart(part: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  return part.trim() !== '' && !part.startsWith('.') && !/[\\\u0000-\u001f\u007f]/.test(part)
}
