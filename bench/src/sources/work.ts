import type { Named } from './documents.ts'

/** What a contender made of a document. */
export type Made = {
  readonly tools: number
  /** The input schema of the tool for an operation; undefined where there is no such tool. Yardsticks make no tools and leave this out. */
  readonly schemaOf?: (named: Named) => unknown
}

/** What is timed. What it takes is read before the clock starts; whoever takes only a file reads it while the clock runs. */
export type Work =
  | { readonly takes: 'text'; readonly make: (text: string) => Made | Promise<Made> }
  | { readonly takes: 'bytes'; readonly make: (bytes: Uint8Array) => Made | Promise<Made> }
  | { readonly takes: 'file'; readonly make: (file: string) => Made | Promise<Made> }
