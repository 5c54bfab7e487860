/** How a generated prescription looks. */
export type Look = {
  readonly font: 'sans' | 'serif' | 'hand' | 'scrawl'
  /** Turned by so many degrees. */
  readonly degrees: number
  /** 0: a scan. More: the noise and shadow of a poor photo. */
  readonly noise: 0 | 1 | 2
}

/** A prescription or list with what it asks for. */
export type PrescriptionCase = {
  readonly id: string
  readonly look: Look
  readonly lines: readonly string[]
  /** The generic names of its medicines; an unlisted one by its own name. */
  readonly medicines: readonly string[]
}
