/** What happens in a conversation, in the order of the specification. */
export type TurnEventType =
  | 'ready'
  | 'mic_opened'
  | 'mic_closed'
  | 'tts_play'
  | 'vad'
  | 'partial_asr'
  | 'final_asr'
  | 'barge_in'
  | 'agent_delta'
  | 'agent_tool'
  | 'agent_final'
  | 'error'

export type TurnEvent = {
  readonly type: TurnEventType
  readonly text?: string
  readonly at: number
}

/** Dispatched on the widget's window; `at` is in milliseconds since it was loaded. */
export function emit(type: TurnEventType, text?: string): void {
  const detail: TurnEvent = { type, at: performance.now(), ...(text === undefined ? {} : { text }) }
  dispatchEvent(new CustomEvent('surehand:turn', { detail }))
}
