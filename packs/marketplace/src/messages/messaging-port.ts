import { definePort, unrecoverable } from '@surehand/core'

/** What a message contains, in WhatsApp's terms. */
export type MessageContent =
  | { readonly kind: 'text'; readonly text: string }
  /** At most 3 buttons with titles of at most 20 characters. */
  | {
      readonly kind: 'buttons'
      readonly text: string
      readonly buttons: readonly { readonly id: string; readonly title: string }[]
    }
  /** At most 10 rows with titles of at most 24 characters. */
  | {
      readonly kind: 'list'
      readonly text: string
      /** The title of the button that opens the list. */
      readonly button: string
      readonly rows: readonly { readonly id: string; readonly title: string }[]
    }
  /** A template that WhatsApp has approved; the parameters fill its body in order. */
  | {
      readonly kind: 'template'
      readonly name: string
      readonly language: string
      readonly parameters: readonly string[]
    }
  /** WhatsApp's own question whether the business may call. */
  | { readonly kind: 'call_permission'; readonly text: string }

export type OutgoingMessage = {
  readonly tenant: string
  /** Digits with the country code. */
  readonly to: string
  readonly content: MessageContent
  /** The id of the message that this one answers. */
  readonly replyTo?: string
  /**
   * Returned by the vendor with every state of the message (`biz_opaque_callback_data`), at most
   * 512 characters: the key of the call and its id, so that a state settles an unknown outcome.
   */
  readonly callback: string
}

export type SentMessage = { readonly provider_message_id: string }

export type MediaFile = { readonly bytes: Uint8Array; readonly mediaType: string }

/** Sends messages. WhatsApp deduplicates nothing and cannot be asked for a message by our key. */
export type MessagingPort = {
  readonly send: (message: OutgoingMessage, signal: AbortSignal) => Promise<SentMessage>
  /** Downloads what a client sent; WhatsApp's addresses expire after five minutes. */
  readonly download: (
    media: { readonly tenant: string; readonly mediaId: string },
    signal: AbortSignal,
  ) => Promise<MediaFile>
}

export const messagingPort = definePort<MessagingPort>('messaging', {
  send: unrecoverable,
  download: 'read',
})

export type CallToPlace = {
  readonly tenant: string
  readonly to: string
  /** The offer of the operator's browser. */
  readonly sdp: string
  readonly callback: string
}

/** Places calls. The states of a call arrive by webhook. */
export type CallingPort = {
  readonly place: (
    call: CallToPlace,
    signal: AbortSignal,
  ) => Promise<{ readonly provider_call_id: string }>
  /** Whether WhatsApp itself lets the business call this person now. */
  readonly permission: (
    query: { readonly tenant: string; readonly to: string },
    signal: AbortSignal,
  ) => Promise<{ readonly mayCall: boolean; readonly reason: string }>
}

export const callingPort = definePort<CallingPort>('calling', {
  place: unrecoverable,
  permission: 'read',
})
