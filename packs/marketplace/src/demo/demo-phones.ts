// table
import type { Phone } from '../emulators/whatsapp/record.ts'
import type { SettingsPatch } from '../emulators/whatsapp/settings.ts'
import { DEMO_VENDORS } from './market-vendors.ts'

/** The clients of the demo and what each writes first. The people are invented. */
export const DEMO_CLIENTS: readonly (Phone & { readonly first: string })[] = [
  {
    number: '250700001001',
    name: 'Aline Uwase',
    role: 'client',
    language: 'rw',
    isOnline: true,
    first: 'Muraho, nshaka amoxicilline 500mg hafi ya Kimironko',
  },
  {
    number: '250700001002',
    name: 'Jean-Paul Habimana',
    role: 'client',
    language: 'fr',
    isOnline: true,
    first: 'Bonjour, je cherche un chargeur de laptop HP à Remera',
  },
  {
    number: '250700001003',
    name: 'Grace Mutesi',
    role: 'client',
    language: 'en',
    isOnline: true,
    first: 'Hello, I need 10 bags of cement near Gisozi',
  },
]

export const DEMO_PHONES: readonly Phone[] = [
  ...DEMO_CLIENTS.map(({ first: _, ...phone }) => phone),
  ...DEMO_VENDORS.map(
    ({ phone: number, name, language, categories, sector }): Phone => ({
      ...{ number, name, language, role: 'vendor', place: sector, isOnline: true },
      category: categories[0] ?? '',
    }),
  ),
]

// One parameter, as the pack sends it. Meta takes no template that is nothing but a parameter.
const vendorTemplate = (language: string, body: string) => ({
  name: 'vendor_request',
  language,
  body,
})
const clientTemplate = (language: string, body: string) => ({
  name: 'client_update',
  language,
  body,
})

/** The templates that the business has at Meta, in the languages of the market. */
export const DEMO_TEMPLATES: NonNullable<SettingsPatch['templates']> = [
  vendorTemplate('en', 'Isoko marketplace: {{1}} Please reply here.'),
  vendorTemplate('fr', 'Marché Isoko : {{1}} Merci de répondre ici.'),
  vendorTemplate('rw', 'Isoko: {{1}} Subiza hano.'),
  clientTemplate('en', 'News from Isoko: {{1}} Reply here.'),
  clientTemplate('fr', 'Des nouvelles d’Isoko : {{1}} Répondez ici.'),
  clientTemplate('rw', 'Amakuru ya Isoko: {{1}} Subiza hano.'),
]
