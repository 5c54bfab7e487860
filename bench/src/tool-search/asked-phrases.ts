import { writeFileSync } from 'node:fs'
import {
  isRightTool,
  type PublishedTool,
  type RequestCase,
} from '../../../apps/server/src/fixtures/tool-requests.ts'
import { isNoise } from '../../../libraries/discovery/src/tool-words.ts'

/** What a long request says at last is detail. */
const MOST_WORDS = 12

/** Requests as phrases, by the tool that answers them. */
export type AskedPhrases = ReadonlyMap<PublishedTool, readonly string[]>

/** Takes requests as phrases of the tools that answer them. */
export function collectPhrases(
  tools: readonly PublishedTool[],
  requests: readonly RequestCase[],
): AskedPhrases {
  const found = new Map<PublishedTool, string[]>()
  const seen = new Set(tools.flatMap(({ fields }) => (fields.phrases ?? '').split('\n')))
  for (const one of requests) {
    const phrase = plainPhrase(one.request)
    const tool = one.right
      .map((right) => tools.find((each) => isRightTool(each, { ...one, right: [right] })))
      .find((each) => each !== undefined)
    if (tool === undefined || seen.has(phrase) || phrase === '') continue
    seen.add(phrase)
    found.set(tool, [...(found.get(tool) ?? []), phrase])
  }
  return found
}

// What is quoted and numbers are of a single request.
function plainPhrase(request: string): string {
  return request
    .replaceAll(/(?<=^|[\s(:])(?:"[^"]*"|“[^”]*”)/g, ' ')
    .replaceAll(/[’']/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}-]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '' && !/\d/.test(word) && !isNoise(word))
    .slice(0, MOST_WORDS)
    .join(' ')
}

/** Writes the phrases as the table that @surehand/openapi brings. */
export function writePhrases(file: string, asked: AskedPhrases): void {
  const lines = [...asked].map(
    ([{ vendor, operationId, key }, phrases]) =>
      `${vendor} ${vendor === 'stripe' ? key.replaceAll(/\{[^}]*\}/g, '{}') : operationId}: ${phrases.join('; ')}`,
  )
  writeFileSync(
    file,
    [
      '// table',
      '/**',
      ' * The requests of sources/documents/requests by the operations that answer them. Written by',
      ' * `node bench/src/tool-search/fit-ranking.ts`; not edited by hand.',
      ' */',
      'export const ASKED_PHRASES = `',
      ...lines.toSorted(),
      '`',
      '',
    ].join('\n'),
  )
}
