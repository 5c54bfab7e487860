import { Buffer } from 'node:buffer'
import { sha256 } from './hash.ts'

/** A text that is hashed on demand. */
export type Hashed = { readonly hash: string; readonly bytes: number }

/**
 * A canonical text, hashed once and only if it is needed: a plain read's hash is wanted by its
 * audit record alone.
 */
export class CanonicalText implements Hashed {
  readonly text: string
  private known: string | undefined

  constructor(text: string) {
    this.text = text
  }

  get bytes(): number {
    return Buffer.byteLength(this.text)
  }

  get hash(): string {
    this.known ??= sha256(this.text)
    return this.known
  }
}

export const NOTHING_HASHED: Hashed = { hash: '', bytes: 0 }
