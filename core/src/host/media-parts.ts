import type { Caller } from '../call/caller.ts'
import { isRecord } from '../call/canonical.ts'

/** A part of a foreign tool's answer, as every host of a model can show it. */
export type MediaPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly mediaType: string; readonly base64: string }
  | {
      readonly kind: 'file'
      readonly uri: string
      readonly mediaType: string
      readonly content: { readonly base64: string } | { readonly text: string }
    }
  | {
      readonly kind: 'link'
      readonly uri: string
      readonly name: string
      readonly description: string | undefined
      readonly mediaType: string | undefined
    }

/** A part of an answer that is stored apart, for the caller alone and for a while. */
export type KeptFile = {
  /** For clients of MCP, which read it as a resource. */
  readonly uri: string
  /** For all others, who send the caller's credential. */
  readonly url: string
  readonly expires_at: string
}

/** Stores what is too large for an answer. */
export type KeepFile = (
  caller: Caller,
  file: { readonly bytes: Uint8Array; readonly mediaType: string },
) => Promise<KeptFile>

type Fields = Readonly<Record<string, unknown>>

/**
 * The answer of an imported or mounted tool in its parts, so that an image stays an image and a
 * link a link instead of becoming base64 in JSON. Undefined for answers that are data.
 */
export function mediaParts(data: unknown): readonly MediaPart[] | undefined {
  if (!isRecord(data)) return undefined
  if (Array.isArray(data.content) && data.content.every(isBlock)) {
    const parts = data.content.flatMap(readBlock)
    return data.structured === undefined
      ? parts
      : [...parts, { kind: 'text', text: JSON.stringify(data.structured) }]
  }
  const { artifact, ...rest } = data
  const media = isRecord(artifact) ? readArtifact(artifact, '') : undefined
  return media === undefined ? undefined : [{ kind: 'text', text: JSON.stringify(rest) }, media]
}

const BLOCKS = new Set(['text', 'image', 'audio', 'resource', 'resource_link'])

function isBlock(block: unknown): block is Fields {
  return isRecord(block) && BLOCKS.has(String(block.type))
}

function readBlock(block: Fields): readonly MediaPart[] {
  const { type, text, uri, name, title, description, mimeType, artifact } = block
  if (type === 'resource_link' && typeof uri === 'string')
    return [
      {
        kind: 'link',
        uri,
        name: toText(name) ?? toText(title) ?? uri,
        description: toText(description),
        mediaType: toText(mimeType),
      },
    ]
  if (type === 'resource' && typeof text === 'string')
    return [
      {
        kind: 'file',
        uri: toText(uri) ?? 'surehand://resource',
        mediaType: toText(mimeType) ?? 'text/plain',
        content: { text },
      },
    ]
  const media = isRecord(artifact) ? readArtifact(artifact, toText(uri) ?? '') : undefined
  if (media !== undefined) return [media]
  return [{ kind: 'text', text: type === 'text' ? String(text) : JSON.stringify(block) }]
}

// Undefined for one that is only described, because it was too large even to be stored.
function readArtifact(artifact: Fields, uri: string): MediaPart | undefined {
  const { media_type, base64, sha256 } = artifact
  if (typeof base64 !== 'string') return readKept(artifact)
  const mediaType = toText(media_type) ?? 'application/octet-stream'
  if (mediaType.startsWith('image/')) return { kind: 'image', mediaType, base64 }
  if (mediaType.startsWith('audio/')) return { kind: 'audio', mediaType, base64 }
  const place = uri === '' ? `surehand://artifact/${toText(sha256) ?? ''}` : uri
  return { kind: 'file', uri: place, mediaType, content: { base64 } }
}

function readKept({ media_type, bytes, uri, url, expires_at }: Fields): MediaPart | undefined {
  if (typeof uri !== 'string') return undefined
  return {
    kind: 'link',
    uri,
    name: 'artifact',
    description: `The whole of it, ${bytes} bytes, until ${expires_at}. Read this resource, or fetch ${url} with your own token.`,
    mediaType: toText(media_type),
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
