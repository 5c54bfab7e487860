import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { RpcId } from './answer-stream.ts'

const texts = new WeakMap<McpTool, string>()

/** A listed tool as JSON, written once: `describe` returns the same object for the same tool. */
export function writeTool(tool: McpTool): string {
  const known = texts.get(tool)
  if (known !== undefined) return known
  const fresh = JSON.stringify(tool)
  texts.set(tool, fresh)
  return fresh
}

// Taken for the list while the rest is written. Within a string its quotes would be escaped.
const LIST = '"tools":'
const PLACE = '"\\u0000"'

// A longer text is memory that the system has to clear first, and it is copied twice to be sent.
const CHARACTERS_A_PART = 65_536

type Page = { readonly tools: readonly McpTool[] }

function isPage(result: object): result is Page {
  return Array.isArray((result as Partial<Page>).tools)
}

/** The answer to a request as JSON. */
export function writeResult(id: RpcId, result: object): string {
  return isPage(result)
    ? [...writePage(id, result)].join('')
    : JSON.stringify({ jsonrpc: '2.0', id, result })
}

/**
 * A page of tools as JSON, a long one in several parts. It is joined from what was written of each
 * tool: writing 250 of them anew holds up all other requests ten times as long.
 */
export function* writePage(id: RpcId, result: Page): Generator<string, void> {
  const { tools } = result
  const frame = JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, tools: '\u0000' } })
  const at = frame.indexOf(LIST + PLACE) + LIST.length
  let part = `${frame.slice(0, at)}[`
  let comma = ''
  for (const tool of tools) {
    part += comma + writeTool(tool)
    comma = ','
    if (part.length < CHARACTERS_A_PART) continue
    yield part
    part = ''
  }
  yield `${part}]${frame.slice(at + PLACE.length)}`
}
