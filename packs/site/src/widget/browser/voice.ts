import { emit } from './turn-events.ts'

// The Web Speech API, as far as it is used here; TypeScript's library has only parts of it.
type Alternative = { readonly transcript: string }
type RecognitionResult = { readonly isFinal: boolean; readonly 0: Alternative }
type RecognitionEvent = {
  readonly resultIndex: number
  readonly results: ArrayLike<RecognitionResult>
}
type Recognition = EventTarget & {
  lang: string
  interimResults: boolean
  continuous: boolean
  readonly start: () => void
  readonly stop: () => void
  readonly abort: () => void
}
type RecognitionClass = new () => Recognition

const findRecognition = (): RecognitionClass | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = window as {
    readonly SpeechRecognition?: RecognitionClass
    readonly webkitSpeechRecognition?: RecognitionClass
  }
  return SpeechRecognition ?? webkitSpeechRecognition
}

export const canListen = (): boolean => findRecognition() !== undefined

export type Listener = {
  readonly start: () => void
  readonly stop: () => void
  readonly isOn: () => boolean
}

type ListenOptions = {
  readonly language: string
  /** The visitor begins to speak. */
  readonly onSpeech: () => void
  /** A whole utterance, and when it began. */
  readonly onUtterance: (text: string, beganAt: number) => void
  readonly onChange: (isOn: boolean) => void
}

/** Listens until it is stopped; each utterance is passed on once it is final. */
export function createListener(options: ListenOptions): Listener {
  const Recognizer = findRecognition()
  let isWanted = false
  let current: Recognition | undefined
  let beganAt: number | undefined

  function listen(Class: RecognitionClass): void {
    const recognition = new Class()
    current = recognition
    Object.assign(recognition, {
      lang: options.language,
      interimResults: true,
      continuous: false,
    })
    recognition.addEventListener('start', () => emit('mic_opened'))
    recognition.addEventListener('speechstart', begin)
    recognition.addEventListener('result', (event) =>
      takeResult(event as unknown as RecognitionEvent),
    )
    recognition.addEventListener('error', (event) => {
      const { error } = event as unknown as { readonly error?: string }
      if (error === 'not-allowed' || error === 'service-not-allowed') isWanted = false
      if (error !== 'no-speech' && error !== 'aborted') emit('error', error)
    })
    recognition.addEventListener('end', () => {
      emit('mic_closed')
      beganAt = undefined
      if (isWanted) listen(Class)
      else options.onChange(false)
    })
    recognition.start()
  }

  function begin(): void {
    if (beganAt !== undefined) return
    beganAt = performance.now()
    emit('vad')
    options.onSpeech()
  }

  function takeResult({ resultIndex, results }: RecognitionEvent): void {
    begin()
    for (const result of Array.from(results).slice(resultIndex)) {
      const text = result[0].transcript.trim()
      if (!result.isFinal) emit('partial_asr', text)
      else if (text !== '') {
        emit('final_asr', text)
        options.onUtterance(text, beganAt ?? performance.now())
        beganAt = undefined
      }
    }
  }

  return {
    start() {
      if (isWanted || Recognizer === undefined) return
      isWanted = true
      options.onChange(true)
      listen(Recognizer)
    },
    stop() {
      isWanted = false
      current?.stop()
    },
    isOn: () => isWanted,
  }
}

const LONGEST_MS_PER_CHARACTER = 90
const START_MS = 3_000

/** Reads a text aloud where the browser has a voice. Tells whether it was read to its end. */
export function speak(text: string, language: string): Promise<boolean> {
  const synthesis = window.speechSynthesis as SpeechSynthesis | undefined
  if (synthesis === undefined || synthesis.getVoices().length === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.lang = language
    utterance.onend = () => resolve(true)
    // Without a voice, or without leave to use it, the visitor reads what stands there.
    utterance.onerror = ({ error }) => resolve(error !== 'canceled' && error !== 'interrupted')
    synthesis.speak(utterance)
    // Some browsers never tell the end, and some never stop to say that they are speaking.
    const longestMs = START_MS + text.length * LONGEST_MS_PER_CHARACTER
    setTimeout(() => {
      if (synthesis.speaking) setTimeout(resolve, 3 * longestMs, true)
      else resolve(true)
    }, longestMs)
  })
}

/** Falls silent at once. */
export const hush = (): void => window.speechSynthesis?.cancel()
