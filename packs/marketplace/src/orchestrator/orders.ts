// What a client may write as a whole message to steer a request.
const CANCEL = new Set([
  'cancel',
  'cancel it',
  'cancel my request',
  'cancel request',
  'never mind',
  'nevermind',
  'no longer needed',
  'i found it',
  'forget it',
  'annuler',
  'annule',
  'annulez',
  "j'annule",
  'laissez tomber',
  "j'ai trouve",
  'plus besoin',
  'reka',
  'mureke',
  'nabibonye',
  'simbishaka',
  'simbikeneye',
  'bireke',
  'kureka',
])
const CALL = new Set([
  'call',
  'call me',
  'please call',
  'please call me',
  'you can call me',
  'appel',
  'appelez',
  'appelez-moi',
  'appelez moi',
  'appeler',
  'hamagara',
  'mpamagara',
  'mumpamagare',
  'mpamagare',
])
const PERSON = new Set([
  'operator',
  'agent',
  'human',
  'a person',
  'help',
  'person',
  'operateur',
  'un conseiller',
  'une personne',
  'aide',
  'umuntu',
  'ubufasha',
  'mumfashe',
])

export type Order =
  | { readonly kind: 'cancel' | 'call' | 'person' }
  | { readonly kind: 'choice'; readonly number: number }

/** An order of a client, where the whole message is one. */
export function readOrder(message: string): Order | undefined {
  const words = message
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’`´]/g, "'")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}' -]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (CANCEL.has(words)) return { kind: 'cancel' }
  if (CALL.has(words)) return { kind: 'call' }
  if (PERSON.has(words)) return { kind: 'person' }
  const [, number] = /^(?:number |numero |no |nimero |#)?([1-5])$/.exec(words) ?? []
  return number === undefined ? undefined : { kind: 'choice', number: Number(number) }
}
