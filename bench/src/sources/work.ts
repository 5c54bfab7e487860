import type { SampleOperation } from './documents.ts'

/** The tools that a contender created from a document. */
export type CreatedTools = {
  readonly tools: number
  /** The input schema of the tool for an operation; undefined where there is no such tool. Left out by baselines, which create no tools. */
  readonly schemaOf?: (sample: SampleOperation) => unknown
}

/** The timed work. Text and bytes are read before the clock starts; work that takes a file reads it while the clock runs. */
export type Work =
  | {
      readonly takes: 'text'
      readonly create: (text: string) => CreatedTools | Promise<CreatedTools>
    }
  | {
      readonly takes: 'bytes'
      readonly create: (bytes: Uint8Array) => CreatedTools | Promise<CreatedTools>
    }
  | {
      readonly takes: 'file'
      readonly create: (file: string) => CreatedTools | Promise<CreatedTools>
    }
