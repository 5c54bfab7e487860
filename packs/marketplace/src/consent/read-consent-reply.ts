import { plainWords } from '../messages/plain-words.ts'

// Whole messages only: "yes, but first tell me the price" is not a decision.
const YES = new Set([
  'yes',
  'y',
  'yeah',
  'yep',
  'yes please',
  'yes you can',
  'yes you can call',
  'ok',
  'okay',
  'sure',
  'of course',
  'agreed',
  'oui',
  'ouais',
  'oui merci',
  'oui svp',
  "d'accord",
  'dac',
  'bien sur',
  'ok oui',
  'volontiers',
  'yego',
  'yee',
  'ego',
  'yego rwose',
  'nibyo',
  'sawa',
  'yego murakoze',
  'mwampamagara',
  'ni byiza',
])
const NO = new Set([
  'no',
  'n',
  'nope',
  'no thanks',
  'no thank you',
  'do not call',
  "don't call",
  'not now',
  'non',
  'non merci',
  'pas maintenant',
  "n'appelez pas",
  'oya',
  'hoya',
  'oya murakoze',
  'ntabwo',
  'ntimumpamagare',
  'reka',
])

/** A client's decision, where the whole message is YES or NO in one of three languages. */
export function readConsentReply(text: string): 'granted' | 'denied' | undefined {
  const words = plainWords(text)
  if (YES.has(words)) return 'granted'
  return NO.has(words) ? 'denied' : undefined
}
