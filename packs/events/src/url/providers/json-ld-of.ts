/** Real ones end at eight. */
const DEEPEST = 32

/** A block of JSON-LD as it stands in a page; undefined where it is broken, or nested to hurt whoever walks through it. */
export function jsonLdOf(block: string): unknown {
  // many pages break their lines within a text
  const text = block.replace(/[\r\n]/g, ' ').trim()
  try {
    return depthOf(text) > DEEPEST ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

// a bracket within a text opens nothing
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (isText) {
      if (character === '\\') index++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}
