export type Part = {
  type: string
  toolName?: string
  toolCallId?: string
  state?: string
  text?: string
  input?: unknown
  output?: unknown
  errorText?: string
  approval?: { id: string; requestReason?: string; approved?: boolean; signature?: string }
}
export type Message = { id: string; role: string; parts: Part[]; metadata?: { model?: string } }
export type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>

/** Adds a chunk of the answer's stream to the message; returns false for an unknown chunk. */
export function foldChunk(message: Message, chunk: Chunk): boolean
