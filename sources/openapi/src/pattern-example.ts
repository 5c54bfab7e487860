/** A short text that a plain pattern takes: letters, classes, groups and counts are understood; undefined for anything else. */
export function patternExample(pattern: string): string | undefined {
  const reading = { text: pattern.replace(/^\^/, '').replace(/\$$/, ''), at: 0, steps: 0 }
  const sample = alternatives(reading, 0)
  return sample === undefined || reading.at < reading.text.length ? undefined : sample
}

type Reading = { readonly text: string; at: number; steps: number }

const MOST = 200
const MOST_STEPS = 2_000
const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', S: 'a', D: 'a', W: '-' }

// the first of them is as good as any; the others only have to be read over
function alternatives(reading: Reading, depth: number): string | undefined {
  const first = sequence(reading, depth)
  while (first !== undefined && reading.text[reading.at] === '|') {
    reading.at++
    if (sequence(reading, depth) === undefined) return undefined
  }
  return first
}

function sequence(reading: Reading, depth: number): string | undefined {
  let sample = ''
  while (reading.at < reading.text.length && !/[|)]/.test(reading.text[reading.at] ?? '')) {
    if (++reading.steps > MOST_STEPS) return undefined
    const one = atom(reading, depth)
    if (one === undefined) return undefined
    sample += one.repeat(Math.min(count(reading), MOST))
    if (sample.length > 10_000) return undefined
  }
  return sample
}

function atom(reading: Reading, depth: number): string | undefined {
  const sign = reading.text[reading.at++]
  if (sign === '\\') return escaped(reading.text[reading.at++] ?? '')
  if (sign === '[') return oneOfClass(reading)
  if (sign === '.') return 'a'
  if (sign !== '(') return sign !== undefined && /[*+?{}^$]/.test(sign) ? undefined : sign
  if (reading.text.startsWith('?:', reading.at)) reading.at += 2
  else if (reading.text[reading.at] === '?') return undefined
  const inner = depth > 8 ? undefined : alternatives(reading, depth + 1)
  return inner === undefined || reading.text[reading.at++] !== ')' ? undefined : inner
}

function escaped(sign: string): string | undefined {
  if (Object.hasOwn(ESCAPES, sign)) return ESCAPES[sign]
  return /[A-Za-z0-9]/.test(sign) ? undefined : sign
}

function oneOfClass(reading: Reading): string | undefined {
  const end = reading.text.indexOf(']', reading.at + 1)
  if (end < 0) return undefined
  const members = reading.text.slice(reading.at, end)
  reading.at = end + 1
  if (members.startsWith('^')) return ['a', '1', '-'].find((sign) => !members.includes(sign))
  const first = members[0] === '\\' ? escaped(members[1] ?? '') : members[0]
  return first
}

function count(reading: Reading): number {
  const rest = reading.text.slice(reading.at, reading.at + 20)
  const [whole = '', least, sign] = /^(?:\{(\d+)(?:,\d*)?\}|([*+?]))\??/.exec(rest) ?? []
  reading.at += whole.length
  if (least !== undefined) return Number(least)
  return sign === '*' || sign === '?' ? 0 : 1
}
