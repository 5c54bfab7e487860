/** A short text that matches a simple pattern of letters, classes, groups and counts; undefined for anything else. */
export function patternExample(pattern: string): string | undefined {
  const reading = { text: pattern.replace(/^\^/, '').replace(/\$$/, ''), at: 0, steps: 0 }
  const sample = readAlternatives(reading, 0)
  return sample === undefined || reading.at < reading.text.length ? undefined : sample
}

type Reading = { readonly text: string; at: number; steps: number }

const MOST = 200
const MOST_STEPS = 2_000
const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', S: 'a', D: 'a', W: '-' }

// The first alternative is used; the others are only skipped.
function readAlternatives(reading: Reading, depth: number): string | undefined {
  const first = readSequence(reading, depth)
  while (first !== undefined && reading.text[reading.at] === '|') {
    reading.at++
    if (readSequence(reading, depth) === undefined) return undefined
  }
  return first
}

function readSequence(reading: Reading, depth: number): string | undefined {
  let sample = ''
  while (reading.at < reading.text.length && !/[|)]/.test(reading.text[reading.at] ?? '')) {
    if (++reading.steps > MOST_STEPS) return undefined
    const one = readAtom(reading, depth)
    if (one === undefined) return undefined
    sample += one.repeat(Math.min(readCount(reading), MOST))
    if (sample.length > 10_000) return undefined
  }
  return sample
}

function readAtom(reading: Reading, depth: number): string | undefined {
  const sign = reading.text[reading.at++]
  if (sign === '\\') return readEscape(reading.text[reading.at++] ?? '')
  if (sign === '[') return readClass(reading)
  if (sign === '.') return 'a'
  if (sign !== '(') return sign !== undefined && /[*+?{}^$]/.test(sign) ? undefined : sign
  if (reading.text.startsWith('?:', reading.at)) reading.at += 2
  else if (reading.text[reading.at] === '?') return undefined
  const inner = depth > 8 ? undefined : readAlternatives(reading, depth + 1)
  return inner === undefined || reading.text[reading.at++] !== ')' ? undefined : inner
}

function readEscape(sign: string): string | undefined {
  if (Object.hasOwn(ESCAPES, sign)) return ESCAPES[sign]
  return /[A-Za-z0-9]/.test(sign) ? undefined : sign
}

function readClass(reading: Reading): string | undefined {
  const end = reading.text.indexOf(']', reading.at + 1)
  if (end < 0) return undefined
  const members = reading.text.slice(reading.at, end)
  reading.at = end + 1
  if (members.startsWith('^')) return ['a', '1', '-'].find((sign) => !members.includes(sign))
  const first = members[0] === '\\' ? readEscape(members[1] ?? '') : members[0]
  return first
}

function readCount(reading: Reading): number {
  const rest = reading.text.slice(reading.at, reading.at + 20)
  const [whole = '', least, sign] = /^(?:\{(\d+)(?:,\d*)?\}|([*+?]))\??/.exec(rest) ?? []
  reading.at += whole.length
  if (least !== undefined) return Number(least)
  return sign === '*' || sign === '?' ? 0 : 1
}
