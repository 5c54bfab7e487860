const DEEPEST = 32
const MOST_IN_LIST = 50
const LONGEST_IN_LIST = 200

/** Is it the JSON of a short list of short texts? */
export function isListOfTexts(json: string): boolean {
  const list = parsed(json)
  if (!Array.isArray(list) || list.length > MOST_IN_LIST) return false
  return list.every(
    (one) => typeof one === 'string' && one.length <= LONGEST_IN_LIST && isFitText(one),
  )
}

/** Is it the JSON of an object that can be kept and hashed? */
export function isObjectJson(json: string): boolean {
  const value = parsed(json)
  return isObject(value) && isFit(value, DEEPEST)
}

/** Is it what a person wrote about a day or a week, as time.review_note keeps it? */
export function isReviewBody(json: string): boolean {
  const value = parsed(json)
  return isObject(value) && typeof value.notes === 'string' && isFitText(value.notes)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // no JSON: none of these
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// whoever walks it later must not run out of stack, and a half character has no hash
function isFit(value: unknown, depthLeft: number): boolean {
  if (typeof value === 'string') return isFitText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depthLeft === 0) return false
  return Object.entries(value).every(
    ([name, inner]) => isFitText(name) && isFit(inner, depthLeft - 1),
  )
}

function isFitText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
