// table
import type { ShortlistItem } from '../request/request.ts'

/** What the marketplace writes by itself, in the languages of its clients and vendors. */
export type Language = 'en' | 'fr' | 'rw'

export function languageOf(value: unknown): Language {
  return value === 'fr' || value === 'rw' ? value : 'en'
}

type Phrases = {
  readonly consent: (reason: string) => string
  readonly yes: string
  readonly no: string
  readonly askNeed: string
  readonly askPlace: (need: string) => string
  readonly askCategory: (need: string) => string
  readonly readingPicture: string
  readonly pictureUnsure: (items: string) => string
  readonly pictureUnreadable: string
  readonly pictureOff: string
  readonly searching: (need: string, place: string, count: number) => string
  readonly noVendors: (need: string) => string
  readonly noOffers: (need: string) => string
  readonly shortlist: (need: string, lines: string) => string
  readonly cancelled: string
  readonly handedOff: string
  readonly chosen: (name: string, phone: string) => string
  readonly voiceNote: string
  readonly unsupported: string
  readonly fallback: string
  readonly consentGranted: string
  readonly consentDenied: string
  readonly callPermission: string
  readonly vendorQuestion: (need: string, place: string) => string
  readonly price: (amount: string) => string
  readonly consentReason: string
  /** For a location without a name. */
  readonly sharedPlace: string
}

const EN: Phrases = {
  consent: (reason) => `${reason}\n\nMay we call you on WhatsApp? Please answer YES or NO.`,
  yes: 'Yes',
  no: 'No',
  askNeed:
    'Hello! What are you looking for? Write it in a few words, or send a photo of your prescription or list.',
  askPlace: (need) =>
    `We will look for: ${need}. Where do you need it? Write the sector or share your location.`,
  askCategory: (need) => `Who sells "${need}"?`,
  readingPicture: 'Thank you, we are reading your picture. This takes a moment.',
  pictureUnsure: (items) =>
    `We could not read everything with certainty. Please write it down for us: ${items}`,
  pictureUnreadable:
    'We could not read the picture. Please write what you need, with the dose and the quantity.',
  pictureOff:
    'We cannot read pictures at the moment. Please write what you need, with the dose and the quantity.',
  searching: (need, place, count) =>
    `We are asking ${count} ${count === 1 ? 'vendor' : 'vendors'} near ${place} for: ${need}. You will hear from us soon. Write CANCEL to stop.`,
  noVendors: (need) =>
    `We know no vendor nearby for: ${need}. A colleague will look further and write to you.`,
  noOffers: (need) =>
    `The vendors we asked do not have: ${need}. A colleague will look further and write to you.`,
  shortlist: (need, lines) =>
    `These vendors have: ${need}\n\n${lines}\n\nWrite the number of your choice, or CALL if we may call you.`,
  cancelled: 'Your request is cancelled. Write to us whenever you need something.',
  handedOff: 'A colleague will help you here.',
  chosen: (name, phone) => `Good choice. You reach ${name} at +${phone}.`,
  voiceNote: 'Thank you for the voice note. A colleague will listen to it and answer you here.',
  unsupported: 'We cannot read this kind of message. Please write it as text.',
  fallback: 'We could not go on with your request. A colleague will write to you.',
  consentGranted: 'Thank you. We will call you on WhatsApp.',
  consentDenied: 'All right, we will not call you. You can go on writing here.',
  callPermission: 'To receive our call, please allow calls from us in WhatsApp.',
  vendorQuestion: (need, place) =>
    `Hello! A client near ${place} is looking for: ${need}. Do you have it? At which price, and when is it available? Write STOP for no more requests.`,
  price: (amount) => `${amount} RWF`,
  consentReason: 'You asked us to call you about your shortlist.',
  sharedPlace: 'your location',
}

const FR: Phrases = {
  consent: (reason) => `${reason}\n\nPouvons-nous vous appeler sur WhatsApp ? Répondez OUI ou NON.`,
  yes: 'Oui',
  no: 'Non',
  askNeed:
    'Bonjour ! Que cherchez-vous ? Écrivez-le en quelques mots ou envoyez une photo de votre ordonnance ou liste.',
  askPlace: (need) =>
    `Nous cherchons : ${need}. Où en avez-vous besoin ? Écrivez le secteur ou partagez votre position.`,
  askCategory: (need) => `Qui vend « ${need} » ?`,
  readingPicture: 'Merci, nous lisons votre photo. Un instant.',
  pictureUnsure: (items) =>
    `Nous n’avons pas tout lu avec certitude. Écrivez-nous s’il vous plaît : ${items}`,
  pictureUnreadable:
    'Nous n’avons pas pu lire la photo. Écrivez ce qu’il vous faut, avec la dose et la quantité.',
  pictureOff:
    'Nous ne pouvons pas lire de photos en ce moment. Écrivez ce qu’il vous faut, avec la dose et la quantité.',
  searching: (need, place, count) =>
    `Nous demandons à ${count} ${count === 1 ? 'vendeur' : 'vendeurs'} près de ${place} : ${need}. Réponse bientôt. Écrivez ANNULER pour arrêter.`,
  noVendors: (need) =>
    `Nous ne connaissons pas de vendeur à proximité pour : ${need}. Un collègue cherche plus loin et vous écrira.`,
  noOffers: (need) =>
    `Les vendeurs interrogés n’ont pas : ${need}. Un collègue cherche plus loin et vous écrira.`,
  shortlist: (need, lines) =>
    `Ces vendeurs ont : ${need}\n\n${lines}\n\nÉcrivez le numéro de votre choix, ou APPEL si nous pouvons vous appeler.`,
  cancelled: 'Votre demande est annulée. Écrivez-nous quand vous voulez.',
  handedOff: 'Un collègue va vous aider ici.',
  chosen: (name, phone) => `Bon choix. Vous joignez ${name} au +${phone}.`,
  voiceNote: 'Merci pour le message vocal. Un collègue l’écoutera et vous répondra ici.',
  unsupported: 'Nous ne pouvons pas lire ce type de message. Écrivez-le s’il vous plaît.',
  fallback: 'Nous n’avons pas pu continuer votre demande. Un collègue vous écrira.',
  consentGranted: 'Merci. Nous vous appellerons sur WhatsApp.',
  consentDenied: 'Très bien, nous n’appellerons pas. Vous pouvez continuer à écrire ici.',
  callPermission: 'Pour recevoir notre appel, autorisez nos appels dans WhatsApp.',
  vendorQuestion: (need, place) =>
    `Bonjour ! Un client près de ${place} cherche : ${need}. L’avez-vous ? À quel prix, et quand est-ce disponible ? Écrivez STOP pour ne plus recevoir de demandes.`,
  price: (amount) => `${amount} RWF`,
  consentReason: 'Vous souhaitez un appel au sujet de votre liste.',
  sharedPlace: 'votre position',
}

const RW: Phrases = {
  consent: (reason) => `${reason}\n\nTwabahamagara kuri WhatsApp? Musubize YEGO cyangwa OYA.`,
  yes: 'Yego',
  no: 'Oya',
  askNeed:
    'Muraho! Murashaka iki? Mwandike mu magambo make cyangwa mwohereze ifoto y’urupapuro rwa muganga cyangwa urutonde.',
  askPlace: (need) =>
    `Turashaka: ${need}. Mubikeneye he? Mwandike umurenge cyangwa mwohereze aho muri.`,
  askCategory: (need) => `Ni nde ucuruza "${need}"?`,
  readingPicture: 'Murakoze, turimo gusoma ifoto yanyu. Mutegereze gato.',
  pictureUnsure: (items) => `Ntitwashoboye gusoma byose neza. Mutwandikire: ${items}`,
  pictureUnreadable: 'Ntitwashoboye gusoma ifoto. Mwandike ibyo mukeneye, ingano n’umubare.',
  pictureOff: 'Ubu ntidushobora gusoma amafoto. Mwandike ibyo mukeneye, ingano n’umubare.',
  searching: (need, place, count) =>
    `Turabaza abacuruzi ${count} hafi ya ${place}: ${need}. Turabasubiza vuba. Mwandike REKA niba mutakibishaka.`,
  noVendors: (need) =>
    `Nta mucuruzi tuzi hafi ufite: ${need}. Mugenzi wacu arakomeza gushaka, arabandikira.`,
  noOffers: (need) =>
    `Abacuruzi twabajije nta wufite: ${need}. Mugenzi wacu arakomeza gushaka, arabandikira.`,
  shortlist: (need, lines) =>
    `Aba bacuruzi bafite: ${need}\n\n${lines}\n\nMwandike nimero y’uwo muhisemo, cyangwa HAMAGARA niba twabahamagara.`,
  cancelled: 'Ubusabe bwanyu bwahagaritswe. Mutwandikire igihe cyose.',
  handedOff: 'Mugenzi wacu arabafasha hano.',
  chosen: (name, phone) => `Muhisemo neza. Muhamagare ${name} kuri +${phone}.`,
  voiceNote: 'Murakoze ku butumwa bw’ijwi. Mugenzi wacu arabwumva abasubize hano.',
  unsupported: 'Ntidushobora gusoma ubu butumwa. Mwandike.',
  fallback: 'Ntitwashoboye gukomeza ubusabe bwanyu. Mugenzi wacu arabandikira.',
  consentGranted: 'Murakoze. Turabahamagara kuri WhatsApp.',
  consentDenied: 'Nta kibazo, ntituzabahamagara. Mukomeze mwandike hano.',
  callPermission: 'Kugira ngo tubahamagare, mwemere ko tubahamagara muri WhatsApp.',
  vendorQuestion: (need, place) =>
    `Muraho! Umukiriya uri hafi ya ${place} arashaka: ${need}. Murabifite? Bigura angahe, kandi biboneka ryari? Mwandike STOP niba mudashaka ubundi butumwa.`,
  price: (amount) => `${amount} RWF`,
  consentReason: 'Mwasabye ko tubahamagara ku rutonde rwanyu.',
  sharedPlace: 'aho muri',
}

const PHRASES: Readonly<Record<Language, Phrases>> = { en: EN, fr: FR, rw: RW }

export function phrasesOf(language: Language): Phrases {
  return PHRASES[language]
}

export function consentQuestion(language: Language, reason: string): string {
  return phrasesOf(language).consent(reason)
}

export function consentButtons(language: Language): string[] {
  const { yes, no } = phrasesOf(language)
  return [yes, no]
}

/** The shortlist as a client reads it; numbers are written as in 12,000. */
export function shortlistText(
  language: Language,
  need: string,
  items: readonly ShortlistItem[],
): string {
  const { shortlist, price } = phrasesOf(language)
  const lines = items.map((item, index) =>
    [
      `${index + 1}. ${item.vendor_name}`,
      item.price === undefined ? undefined : price(item.price.toLocaleString('en-US')),
      item.availability,
      `+${item.vendor_phone}`,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  )
  return shortlist(need, lines.join('\n'))
}
