import type { GraphError } from './graph-error.ts'
import type { SettingsPatch } from './settings.ts'

/** Someone with WhatsApp on their phone. */
export type Phone = {
  /** Digits only, as WhatsApp writes it. */
  readonly number: string
  readonly name: string
  readonly role: 'client' | 'vendor'
  readonly language: 'en' | 'fr' | 'rw'
  /** What a vendor sells. */
  readonly category?: string
  /** Where a vendor's shop is, for a person who looks at the page. */
  readonly place?: string
  /** A phone without network receives its messages when it is online again. */
  readonly isOnline: boolean
}

export type Choice = {
  readonly id: string
  readonly title: string
  readonly description?: string
}

/** A message as a phone shows it. */
export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly footer?: string }
  | { readonly kind: 'buttons'; readonly text: string; readonly buttons: readonly Choice[] }
  | {
      readonly kind: 'list'
      readonly text: string
      readonly button: string
      readonly rows: readonly Choice[]
    }
  | {
      readonly kind: 'template'
      readonly name: string
      readonly text: string
      readonly buttons: readonly Choice[]
      readonly asksForCallPermission: boolean
    }
  | { readonly kind: 'location-request'; readonly text: string }
  | { readonly kind: 'call-permission-request'; readonly text: string }
  | {
      readonly kind: 'media'
      readonly type: 'image' | 'document' | 'audio'
      readonly mediaId?: string
      readonly link?: string
      readonly caption?: string
      readonly isVoice?: boolean
    }
  | {
      readonly kind: 'location'
      readonly latitude: number
      readonly longitude: number
      readonly name?: string
      readonly address?: string
    }
  | { readonly kind: 'reaction'; readonly emoji: string; readonly messageId: string }
  | {
      readonly kind: 'choice'
      readonly from: 'button' | 'list' | 'template'
      readonly choice: Choice
    }
  | { readonly kind: 'call-permission'; readonly response: 'accept' | 'reject' }

export type CallEnd = 'accepted' | 'rejected' | 'missed' | 'ended'

/** What the emulator's log contains. Its whole state follows from these, in their order. */
export type WhatsAppRecord =
  | { readonly kind: 'phone'; readonly phone: Phone; readonly atMs: number }
  | { readonly kind: 'settings'; readonly patch: SettingsPatch }
  | {
      /** The business sent a message. */
      readonly kind: 'sent'
      readonly id: string
      readonly to: string
      readonly content: Content
      readonly isTemplate: boolean
      readonly quotes?: string
      readonly opaque?: string
      /** It was accepted, and is reported as failed. */
      readonly refusal?: GraphError
      readonly atMs: number
    }
  | {
      /** A person sent a message. */
      readonly kind: 'received'
      readonly id: string
      readonly from: string
      readonly content: Content
      readonly quotes?: string
      readonly atMs: number
    }
  | {
      /** A person read messages of the business. */
      readonly kind: 'read'
      readonly phone: string
      readonly ids: readonly string[]
      readonly atMs: number
    }
  | { /** The business read a message. */ readonly kind: 'marked-read'; readonly id: string }
  | {
      readonly kind: 'media'
      readonly id: string
      readonly mediaType: string
      readonly sha256: string
      readonly size: number
      readonly atMs: number
    }
  | { readonly kind: 'media-deleted'; readonly id: string }
  | {
      readonly kind: 'call'
      readonly id: string
      readonly to: string
      readonly opaque?: string
      readonly atMs: number
    }
  | {
      readonly kind: 'call-changed'
      readonly id: string
      readonly state: CallEnd
      readonly atMs: number
    }
