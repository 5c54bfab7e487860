// What WhatsApp users write to be left alone. Whole messages only: "we stop at six" is no opt-out.
const STOP = new Set([
  'stop',
  'stop all',
  'unsubscribe',
  'remove me',
  'opt out',
  'stop messages',
  'do not message me',
  "don't message me",
  'arret',
  'arreter',
  'arretez',
  'stopper',
  'desabonner',
  'desinscrire',
  'ne m ecrivez plus',
  "ne m'ecrivez plus",
  'hagarika',
  'muhagarike',
  'mundeke',
  'ntimunyandikire',
  'ntimuzongere kunyandikira',
  'acha',
])

/** Does this whole message ask us to stop writing? */
export function isStopMessage(text: string): boolean {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’`´]/g, "'")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return STOP.has(words)
}
