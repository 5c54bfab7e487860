import { type SeededRandom, seededRandom } from '@surehand/testing'

// Generated requests that contain personal data, with what must be removed from them and what must
// stay. The names were written down without a look at the lists of the anonymiser.

const GIVEN = [
  'Claudine',
  'Jean Bosco',
  'Emmanuel',
  'Divine',
  'Thierry',
  'Marie Grâce',
  'Innocent',
  'Olivier',
  'Yvonne',
  'Patrick',
  'Aline',
  'Chantal',
  'Fabrice',
  'Sandrine',
  'Gaspard',
  'Vestine',
  'Théogène',
  'Solange',
  'Eric',
  'Béatrice',
  'Juma',
  'Asha',
  'Hamisi',
  'Fatuma',
  'Rehema',
  'Baraka',
  'Neema',
  'Salim',
  'Zuhura',
  'Daudi',
  'Wanjiku',
  'Otieno',
  'Achieng',
  'Brian',
  'Mercy',
  'Kevin',
  'Faith',
  'Dennis',
  'Joyce',
  'Collins',
  'Pierre',
  'Françoise',
  'Didier',
  'Brigitte',
  'Benoît',
  'Mélanie',
  'Jean-Paul',
  'Marie-Claire',
  'Félicien',
  'Espérance',
  'Sarah',
  'David',
  'Michael',
  'Linda',
  'Robert',
  'Susan',
  'Peter',
  'Angela',
  'Joseph',
  'Ruth',
] as const
const SURNAMES = [
  'Uwimana',
  'Habimana',
  'Niyonsenga',
  'Mukamana',
  'Hakizimana',
  'Ndayisaba',
  'Mugisha',
  'Ingabire',
  'Nshimiyimana',
  'Uwase',
  'Iradukunda',
  'Bizimana',
  'Kayitesi',
  'Nsengiyumva',
  'Mukandayisenga',
  'Twagirayezu',
  'Gasana',
  'Karangwa',
  'Munyaneza',
  'Tuyisenge',
  'Nkurunziza',
  'Rutayisire',
  'Kamau',
  'Mwangi',
  'Ochieng',
  'Njoroge',
  'Kiprotich',
  'Wekesa',
  'Mushi',
  'Massawe',
  'Kimaro',
  'Mwakyembe',
  'Lema',
  'Nakato',
  'Ssekandi',
  'Okello',
  'Namuli',
  'Byaruhanga',
  'Kabila',
  'Mbuyi',
  'Tshibanda',
  'Dubois',
  'Lambert',
  'Smith',
  'Johnson',
  'Mutombo',
  'Sebagabo',
  'Rwigema',
] as const

/** What is needed, and where; every word of them must stay. */
const NEEDS: Readonly<Record<TextLanguage, readonly string[]>> = {
  en: [
    'amoxicillin 500mg near Kimironko',
    'a plumber in Remera for a leaking pipe',
    'tyres 175/70 R13 around Nyabugogo',
    'paracetamol syrup 120 ml for a baby in Kacyiru',
    'a used iPhone 11 64GB under 250 000 frw',
    'cement 50kg, 20 bags, delivered in Gikondo',
    'wedding decoration in Nyamirambo for 200 guests',
    'Toyota RAV4 brake pads near Gatsata',
    'insulin Mixtard 30/70 in Kicukiro',
    'a laptop charger for HP, 65W, near Kigali Heights',
  ],
  fr: [
    'Augmentin 1 g près de Nyamirambo',
    'un électricien à Kimihurura',
    'des pneus 195/65 R15 vers Nyabugogo',
    'un générateur de 5 kVA à louer à Gisenyi',
    'du lait Nido 900 g à Remera',
    'un traiteur pour 150 personnes à Kigali',
    'amlodipine 5 mg, 30 comprimés, à Kacyiru',
    'un écran Samsung A12 à Musanze',
  ],
  rw: [
    'umuti wa Coartem hafi ya Kimisagara',
    'umuplombier i Kanombe',
    'amapine 175/70 R13 Nyabugogo',
    'sima 50kg imifuka 10 i Gahanga',
    'telefone Tecno Spark munsi ya 120 000 frw',
    'imyenda y’ubukwe i Nyarugenge',
    'amoxicilline 500mg hafi ya Remera',
  ],
  sw: [
    'dawa ya Coartem karibu na Kariakoo',
    'fundi wa umeme Sinza',
    'matairi 195/65 R15 mjini Arusha',
    'simu ya Tecno chini ya 300 000 TZS',
    'saruji 50kg mifuko 20 Kinondoni',
    'metformin 850mg karibu na Mwanza',
  ],
}

/** {who} is a name, {phone}, {mail} and {id} are contacts, {need} is what must stay. */
const TEMPLATES: Readonly<Record<TextLanguage, readonly string[]>> = {
  en: [
    'Hello, my name is {who} and I need {need}. My phone is {phone}',
    "I'm {who}, looking for {need}, call me on {phone} or {mail}",
    'Need {need}. Contact: {who}, {phone}',
    'My mother {who} needs {need}. ID {id}',
    '{need} please. Regards, {who} {phone}',
    'Prescribed by Dr {who}: {need}. Patient file no {id}',
    'Please find {need} for {who}, email {mail}',
    '{need}, WhatsApp {phone}',
    'I need {need}. ref {id}',
    '{who} here, I want {need} urgently, number {phone}',
  ],
  fr: [
    "Bonjour, je m'appelle {who}, je cherche {need}. Mon numéro est le {phone}",
    'Je suis {who} et je voudrais {need}, mon mail : {mail}',
    'Il me faut {need}. Appelez {who} au {phone}',
    'Mme {who} cherche {need}, carte d’identité {id}',
    'Besoin de {need} pour mon fils {who}. Tél : {phone}',
    'Je cherche {need}. Cordialement, {who}, {mail}',
    'Ordonnance du docteur {who} : {need}. Assurance n° {id}',
    'Je cherche {need}, contactez-moi sur {phone}',
  ],
  rw: [
    'Muraho, nitwa {who}, ndashaka {need}. Nimero yanjye ni {phone}',
    'Amazina yanjye ni {who}, nkeneye {need}, mumpamagare kuri {phone}',
    'Ndashaka {need}. Indangamuntu {id}',
    'Umwana wanjye {who} akeneye {need}, telefone {phone}',
    'Nkeneye {need}, imeri yanjye ni {mail}',
    'Mwiriwe, ndi {who}, ndashaka {need}. {phone}',
    'Muganga {who} yanyandikiye {need}',
  ],
  sw: [
    'Habari, jina langu ni {who}, natafuta {need}. Simu yangu ni {phone}',
    'Naitwa {who}, nahitaji {need}, barua pepe {mail}',
    'Nahitaji {need}. Nipigie kwa {phone}, mimi ni {who}',
    'Mama yangu {who} anahitaji {need}. Kitambulisho {id}',
    'Natafuta {need}, namba {phone}',
    'Bwana {who} anatafuta {need}, wasiliana nami {phone}',
  ],
}

export type TextLanguage = 'en' | 'fr' | 'rw' | 'sw'
export type PrivateText = {
  readonly language: TextLanguage
  readonly text: string
  readonly need: string
  /** What must not be in the anonymised text, by kind. Names are their words. */
  readonly names: readonly string[]
  readonly phones: readonly string[]
  readonly mails: readonly string[]
  readonly ids: readonly string[]
}

/** Generates so many texts, always the same for a seed. */
export function makePrivateTexts(count: number, seed: string): readonly PrivateText[] {
  const chance = seededRandom(seed)
  return Array.from({ length: count }, () => makeText(chance))
}

function makeText(chance: SeededRandom): PrivateText {
  const { pick, is } = chance
  const language = pick(['en', 'fr', 'rw', 'sw'] as const)
  const template = pick(TEMPLATES[language])
  const need = pick(NEEDS[language])
  const who = makeName(chance)
  const phone = makePhone(chance)
  const mail = `${who
    .split(/[ -]/)[0]
    ?.normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()}${pick(['', '.k', '88', '_rw'])}@${pick(['gmail.com', 'yahoo.fr', 'mail.rw', 'outlook.com'])}`
  const id = makeId(chance)
  const written = template
    .replace('{need}', need)
    .replace('{who}', who)
    .replace('{phone}', phone)
    .replace('{mail}', mail)
    .replace('{id}', id)
  // A fifth of the texts is written without capital letters, as on many phones.
  const text = is(0.2) ? written.toLowerCase() : written
  return {
    language,
    text,
    need,
    names: template.includes('{who}') ? who.split(' ') : [],
    phones: template.includes('{phone}') ? [phone] : [],
    mails: template.includes('{mail}') ? [mail] : [],
    ids: template.includes('{id}') ? [id] : [],
  }
}

function makeName({ pick, whole }: SeededRandom): string {
  const kind = whole(1, 10)
  if (kind <= 3) return pick(GIVEN)
  if (kind === 4) return pick(SURNAMES)
  return kind <= 8
    ? `${pick(GIVEN)} ${pick(SURNAMES)}`
    : `${pick(SURNAMES).toUpperCase()} ${pick(GIVEN)}`
}

function digits({ whole }: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => whole(0, 9)).join('')
}

function makePhone(chance: SeededRandom): string {
  const { pick } = chance
  const own = `${pick(['78', '72', '73', '79', '71', '75'])}${digits(chance, 7)}`
  const [a, b, c] = [own.slice(0, 3), own.slice(3, 6), own.slice(6)]
  const country = pick(['250', '254', '255', '256', '257'])
  return pick([
    `0${own}`,
    `0${a} ${b} ${c}`,
    `0${a}-${b}-${c}`,
    `+${country}${own}`,
    `+${country} ${a} ${b} ${c}`,
    `${country}${own}`,
    `0${a}.${b}.${c}`,
    `00${country}${own}`,
    `(+${country}) ${a} ${b} ${c}`,
    `0${own.slice(0, 1)} ${own.slice(1, 3)} ${own.slice(3, 5)} ${own.slice(5, 7)} ${own.slice(7)}`,
    own,
  ])
}

function makeId(chance: SeededRandom): string {
  const { pick } = chance
  return pick([
    `1${pick(['1985', '1990', '2001', '1978'])}${pick(['7', '8'])}${digits(chance, 7)}${digits(chance, 1)}${digits(chance, 2)}`,
    `1 ${pick(['1985', '1990', '2001'])} 8 ${digits(chance, 7)} ${digits(chance, 1)} ${digits(chance, 2)}`,
    `PC${digits(chance, 6)}`,
    `${digits(chance, 8)}`,
    `RSSB-${digits(chance, 6)}`,
    `MMI/${digits(chance, 5)}/24`,
  ])
}
