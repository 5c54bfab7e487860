/** The languages that vendors write in; `mixed` where a reply uses several. */
export type ReplyLanguage = 'en' | 'fr' | 'rw' | 'mixed' | 'unknown'

/**
 * What kind of answer a reply is. `question`: the vendor asks back before answering. `later`: the
 * vendor will look and answer later. `other`: greetings, thanks and what is not understood.
 */
export type ReplyKind = 'offer' | 'refusal' | 'question' | 'later' | 'other'

/** What a vendor's reply says about the thing that was asked for. */
export type ReplyReading = {
  /** Whether some of it can be had now. Null where the reply does not say. */
  readonly has_stock: boolean | null
  /**
   * The price of what was asked for: of one unit where the reply names it, otherwise the amount that
   * it names. Never that of a substitute, a fee, a deposit or a rent, and left out where several
   * things or kinds have different prices.
   */
  readonly price?: number
  /** What the price is for, in English: `each`, `box`, `tablet`, `kg`. */
  readonly unit?: string
  /** The sum for everything, where the reply names it or a count with a price. */
  readonly total?: number
  readonly currency: string
  /** In English: `tomorrow 15:00`. */
  readonly availability?: string
  /** When it is available: a date, or a date and time with offset (RFC 3339). */
  readonly available_at?: string
  /** What a person should know besides: the vendor refers to someone, offers another product. */
  readonly notes?: string
  readonly language: ReplyLanguage
  readonly kind: ReplyKind
  /** The estimated probability that stock and price are read correctly. */
  readonly confidence: number
  /** True: a person should read the reply before anything follows from it. */
  readonly unsure: boolean
}

export type ReadReplyOptions = {
  /** The time at which the reply arrived, in milliseconds. */
  readonly now: number
  /** The vendor's time zone, as in `Africa/Kigali`. */
  readonly timeZone: string
  /**
   * What the vendor was asked for: the need, or the whole question. Without it a reply is read by
   * itself, and "only 250 mg" cannot be told from an offer.
   */
  readonly request?: string
}
