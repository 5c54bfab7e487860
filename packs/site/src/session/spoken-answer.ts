// Whole utterances only: "yes, but cheaper" approves nothing.
const YES = new Set(
  [
    'yes|yes please|yes do it|yes go ahead|go ahead|do it|confirm|i confirm|approve|i approve|yes order it|yes book it|yes cancel it',
    'ja|ja bitte|ja gerne|ja mach das|ja bestellen|ja buchen|ja stornieren|bestätigen|ich bestätige|einverstanden|mach das',
  ].flatMap((list) => list.split('|')),
)
const NO = new Set(
  [
    'no|no thanks|no thank you|stop|cancel|do not|don t|not now|never mind',
    'nein|nein danke|nicht|abbrechen|stopp|lass es|doch nicht|jetzt nicht',
  ].flatMap((list) => list.split('|')),
)

/**
 * What a visitor's whole utterance after the read-back means. Anything that is not exactly an approval
 * or a denial is undefined, and decides nothing.
 */
export function readSpokenAnswer(utterance: string): 'approve' | 'deny' | undefined {
  const words = utterance
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (YES.has(words)) return 'approve'
  return NO.has(words) ? 'deny' : undefined
}
