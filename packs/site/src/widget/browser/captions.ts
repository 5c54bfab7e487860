import { element } from './elements.ts'
import { emit } from './turn-events.ts'
import { speak } from './voice.ts'

export type Captions = {
  /**
   * In the log at once; where the visitor speaks with the widget, aloud and as a caption, too. Tells
   * whether the visitor could hear or read all of it.
   */
  readonly say: (text: string) => Promise<boolean>
  readonly setAloud: (isAloud: boolean) => void
}

/** What the agent says, as a caption and aloud. */
export function createCaptions(language: string): Captions {
  let isAloud = false
  return {
    say(text) {
      // Who types reads the log; a caption below would say everything twice.
      element('caption').textContent = isAloud ? text : ''
      emit('tts_play', text)
      return isAloud ? speak(text, language) : Promise.resolve(true)
    },
    setAloud(next) {
      isAloud = next
    },
  }
}
