const PLAIN = /[^'"`/{}]+/y
const COMMENT = /\/\/[^\n]*|\/\*.*?(?:\*\/|$)/sy
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/sy
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
const TEMPLATE_PART = /[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)/sy
// a slash after one of these begins a pattern, after anything else it divides
const BEFORE_PATTERN = /(?:^|[=(,:[!&|?{;+\n]|=>|\b(?:return|typeof|case|of|in))\s*$/

/**
 * The same text, at the same offsets, with comments and the insides of strings, templates and
 * patterns blanked.
 */
export function codeOnly(text: string): string {
  let code = ''
  // one entry for each `${` that is open: how many braces are open inside it
  const braces: number[] = []
  while (code.length < text.length) {
    const at = code.length
    const plain = matchAt(PLAIN, text, at)
    const comment = matchAt(COMMENT, text, at)
    const template = text[at] === '`' || braces.at(-1) === 0 ? matchAt(TEMPLATE_PART, text, at) : ''
    const quoted =
      template ||
      matchAt(STRING, text, at) ||
      (BEFORE_PATTERN.test(code.slice(-12)) ? matchAt(PATTERN, text, at) : '')
    if (plain) code += plain
    else if (comment) code += blank(comment)
    else if (quoted) code += quoted.charAt(0) + blank(quoted.slice(1, -1)) + quoted.slice(-1)
    else code += text.charAt(at)
    countBraces(template || text.charAt(at), braces)
  }
  return code
}

function countBraces(piece: string, braces: number[]): void {
  const open = braces.pop()
  if (piece === '{' && open !== undefined) braces.push(open + 1)
  else if (piece === '}' && open !== undefined) braces.push(open - 1)
  else if (open !== undefined && !(piece.startsWith('}') && piece.length > 1)) braces.push(open)
  if (piece.endsWith('${')) braces.push(0)
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
