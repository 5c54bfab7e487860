import { hashJson } from '@surehand/core/internal'

/** What makes two messages of a request the same one. */
export type HashedContent = {
  /** `client`, or the id of a vendor: the same text to another vendor is another message. */
  readonly recipient: string
  readonly type: 'text' | 'interactive'
  readonly text: string
  readonly options?: readonly string[] | undefined
  /** Where the same text is meant again: the id of what it asks for. */
  readonly about?: string | undefined
}

/** The hash of a message's recipient, type, text and options: 64 hexadecimal digits. */
export function contentHash({ recipient, type, text, options, about }: HashedContent): string {
  return hashJson({
    recipient,
    type,
    text,
    options: options ?? [],
    ...(about === undefined ? {} : { about }),
  })
}

/** The idempotency key of a message, as the document writes it. */
export function messageKey(requestId: string, content: HashedContent): string {
  return `request:${requestId}:hash:${contentHash(content)}`
}
