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

/** Puts a chunk of the answer's stream where it belongs in the message; answers false for what it does not know. */
export function foldChunk(message: Message, chunk: Chunk): boolean
