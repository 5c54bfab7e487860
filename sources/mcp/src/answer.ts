import { createHash } from 'node:crypto'
import { ToolError } from '@surehand/core'
import { visibleText, withoutHiddenCommands } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { type Hide, hideJson } from './hide.ts'
import { isWithinDepth } from './plain-json.ts'

export type AnswerOptions = {
  readonly server: string
  readonly tool: string
  /** Whether the tool declares an output schema. */
  readonly isShaped: boolean
  readonly artifactBytes: number
  /** How long the texts or the data of an answer may be. */
  readonly answerBytes: number
  readonly hide: Hide
  /** What the server requested during the call and was refused. */
  readonly refusedRequests: readonly string[]
  /** Whether the administrator declares that a failure of the tool leaves nothing done. */
  readonly failsWithoutEffect: boolean
}

type Block = Readonly<Record<string, unknown>>

const DEPTH = 60
const LONGEST_TEXT = 2_000

/** Turns the result of a `tools/call` into the tool's answer; a failure of the tool is thrown. */
export function toToolAnswer(result: Block, options: AnswerOptions): unknown {
  const { server, tool } = options
  const hide: Hide = (text) => withoutHiddenCommands(options.hide(text))
  if (!isWithinDepth(result, DEPTH))
    throw new ToolError(
      'TOOL_INVALID_OUTPUT',
      `${server} answered ${tool} with a value nested deeper than ${DEPTH} levels.`,
      {
        effect: 'possible',
      },
    )
  const blocks = Array.isArray(result.content) ? result.content.filter(isRecord) : []
  if (result.isError === true) throw toolError(blocks, options)
  const { structuredContent } = result
  if (options.isShaped && structuredContent !== undefined) {
    const text = JSON.stringify(structuredContent)
    // The beginning of data is no data: it is shown as a text, with a warning about the shape.
    return hideJson(
      text.length <= options.answerBytes
        ? structuredContent
        : { content: [{ type: 'text', text: shorten(hide(text), options.answerBytes) }] },
      hide,
    )
  }
  const content = joinTexts(blocks.map((block) => plainBlock(block, options.artifactBytes))).map(
    (block) =>
      typeof block.text === 'string'
        ? { ...block, text: shorten(hide(block.text), options.answerBytes) }
        : block,
  )
  // A tool with an output schema that answers without structured content: the content is returned,
  // and the runtime warns about the mismatch.
  return hideJson(
    {
      content,
      ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
    },
    hide,
  )
}

// Of a text without secrets: one that is cut in two would not be recognized any more.
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).toWellFormed()}\n[These are the first ${most} of ${text.length} characters. Ask the tool for less at a time.]`
}

function toolError(
  blocks: readonly Block[],
  { server, tool, hide, refusedRequests, failsWithoutEffect }: AnswerOptions,
): ToolError {
  const said = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
  const text = visibleText(hide(said).slice(0, LONGEST_TEXT))
  const asked =
    refusedRequests.length === 0
      ? ''
      : ` It requested ${refusedRequests.join(', ')}, which mounted servers may not use.`
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${tool} of ${server} failed: ${text === '' ? 'it does not say why' : text}${asked}`,
    {
      // The server has answered, so this is the outcome of the call: it is stored under its key, and
      // never released, because a tool that failed may have done a part of its work.
      effect: failsWithoutEffect ? 'none' : 'refused',
      details: {
        source_message: text,
        ...(refusedRequests.length === 0 ? {} : { refused_requests: refusedRequests }),
      },
      suggestions: failsWithoutEffect
        ? ['Read what the tool says, correct the input, and call it again.']
        : [
            'Read what the tool says. It may have done a part of its work: look before you call it again.',
          ],
    },
  )
}

function plainBlock(block: Block, artifactBytes: number): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: String(block.text ?? '') }
    case 'image':
    case 'audio':
      return { type: block.type, artifact: toArtifact(block.data, block.mimeType, artifactBytes) }
    case 'resource':
      return plainResource(isRecord(block.resource) ? block.resource : {}, artifactBytes)
    case 'resource_link':
      return {
        type: 'resource_link',
        ...pickTexts(block, ['uri', 'name', 'title', 'description', 'mimeType']),
      }
    default:
      return { type: String(block.type) }
  }
}

function plainResource(resource: Block, artifactBytes: number): Block {
  const named = { type: 'resource', ...pickTexts(resource, ['uri', 'mimeType']) }
  if (typeof resource.text === 'string' && Buffer.byteLength(resource.text) <= artifactBytes)
    return { ...named, text: resource.text }
  const data =
    typeof resource.text === 'string'
      ? Buffer.from(resource.text).toString('base64')
      : resource.blob
  return { ...named, artifact: toArtifact(data, resource.mimeType, artifactBytes) }
}

function toArtifact(data: unknown, mediaType: unknown, artifactBytes: number): Block {
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64')
  return {
    media_type: typeof mediaType === 'string' ? mediaType : 'application/octet-stream',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(bytes.length <= artifactBytes ? { base64: bytes.toString('base64') } : {}),
  }
}

function pickTexts(block: Block, names: readonly string[]): Block {
  return Object.fromEntries(
    names.flatMap((name) => (typeof block[name] === 'string' ? [[name, block[name]]] : [])),
  )
}

function joinTexts(blocks: readonly Block[]): readonly Block[] {
  const together: Block[] = []
  for (const block of blocks) {
    const last = together.at(-1)
    if (block.type === 'text' && last?.type === 'text')
      together[together.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` }
    else together.push(block)
  }
  return together
}
