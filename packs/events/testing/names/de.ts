// table of names in German
import type { Naming, Occasion } from './names.ts'

const der = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `zum ${title}`,
})
const die = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `zur ${title}`,
})
const das = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `zum ${title}`,
})

export const german: Naming = {
  homes: [
    {
      region: 'DE',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      cities: ['Leipzig', 'Freiburg', 'Bremen', 'Nürnberg', 'Köln', 'Göttingen'],
    },
    {
      region: 'DE',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      cities: ['Berlin', 'Hamburg', 'Münster', 'Augsburg', 'Kassel', 'Potsdam'],
    },
    {
      region: 'AT',
      timeZone: 'Europe/Vienna',
      currency: 'EUR',
      cities: ['Wien', 'Graz', 'Linz', 'Salzburg', 'Innsbruck'],
    },
    {
      region: 'CH',
      timeZone: 'Europe/Zurich',
      currency: 'CHF',
      cities: ['Bern', 'Winterthur', 'Luzern', 'St. Gallen'],
    },
  ],
  heads: [
    die('Jazznacht', 'evening'),
    die('Lesebühne', 'evening'),
    der('Poetry-Slam', 'evening'),
    der('Tanzabend', 'evening'),
    der('Spieleabend', 'evening'),
    { ...der('Büchermarkt', 'morning'), canLast: true },
    der('Flohmarkt', 'morning'),
    { ...der('Kunsthandwerksmarkt', 'morning'), canLast: true },
    { ...die('Filmtage', 'afternoon'), to: 'zu den Filmtagen', canLast: true },
    die('Pflanzenbörse', 'morning'),
    der('Stadtlauf', 'morning'),
    das('Repair-Café', 'afternoon'),
    das('Chorkonzert', 'evening'),
    { ...das('Straßenfest', 'afternoon'), canLast: true },
    das('Sommerfest', 'afternoon'),
  ],
  epithets: [
    'Lindenauer',
    'Gohliser',
    'Südstädter',
    'Altstädter',
    'Ehrenfelder',
    'Nordstädter',
    'Neustädter',
    'Schanzenviertler',
  ],
  join: (head, epithet) => {
    // Adjectives from place names are not inflected, so they fit every gender.
    const title = `${epithet} ${head.title}`
    return { ...head, title, to: head.to.replace(/(\S+)$/, `${epithet} $1`) }
  },
  whole: [
    { title: 'Die Zauberflöte', hours: 'evening', to: 'zu „Die Zauberflöte“' },
    { title: 'Der zerbrochne Krug', hours: 'evening', to: 'zu „Der zerbrochne Krug“' },
    {
      title: 'Vortrag: Das geheime Leben der Moose',
      hours: 'evening',
      to: 'zum Vortrag „Das geheime Leben der Moose“',
      also: ['Das geheime Leben der Moose'],
    },
    {
      title: 'Kasperle und der kleine Drache',
      hours: 'afternoon',
      to: 'zu „Kasperle und der kleine Drache“',
    },
    { title: 'Brotbacken für Anfänger', hours: 'afternoon', to: 'zu „Brotbacken für Anfänger“' },
    { title: 'Kerzenscheinkonzert', hours: 'evening', to: 'zum Kerzenscheinkonzert' },
    {
      title: 'Samtfüchse live',
      hours: 'evening',
      to: 'zu „Samtfüchse live“',
      also: ['Samtfüchse'],
    },
  ],
  personal: [
    { title: 'Abendessen mit Anna', hours: 'evening', to: 'zum Abendessen mit Anna' },
    { title: 'Mittagessen mit Jonas', hours: 'noon', to: 'zum Mittagessen mit Jonas' },
    { title: 'Zahnarzttermin', hours: 'afternoon', to: 'zum Zahnarzttermin', happensOnce: true },
    { title: 'Kaffee mit Tobias', hours: 'afternoon', to: 'zum Kaffee mit Tobias' },
    {
      title: 'Geburtstagsfeier von Mia',
      hours: 'afternoon',
      to: 'zur Geburtstagsfeier von Mia',
      happensOnce: true,
    },
    { title: 'Teamfrühstück', hours: 'morning', to: 'zum Teamfrühstück' },
    { title: 'Elternabend', hours: 'evening', to: 'zum Elternabend' },
    { title: 'Lesekreis', hours: 'evening', to: 'zum Lesekreis' },
    { title: 'Klavierunterricht', hours: 'afternoon', to: 'zum Klavierunterricht' },
    { title: 'Chorprobe', hours: 'evening', to: 'zur Chorprobe' },
    { title: 'Einweihungsparty', hours: 'evening', to: 'zur Einweihungsparty', happensOnce: true },
  ],
  taglines: [
    'Livemusik, gutes Essen und nette Leute',
    'Für die ganze Familie, bei jedem Wetter',
    'Mit Künstlerinnen und Künstlern aus der Nachbarschaft',
    'Alle sind herzlich willkommen',
    'Zum Zuhören, Staunen und Mitmachen',
  ],
  presenters: [
    'Kulturverein Lindenhof e. V.',
    'Freundeskreis Stadtbibliothek',
    'Nachbarschaftshaus Süd',
    'Radio Leuchtturm',
    'Bürgerstiftung',
  ],
  venues: [
    { name: 'Kulturhaus Mitte', at: 'im Kulturhaus Mitte' },
    { name: 'Alte Gießerei', at: 'in der Alten Gießerei' },
    { name: 'Stadtbibliothek', at: 'in der Stadtbibliothek' },
    { name: 'Café Morgenrot', at: 'im Café Morgenrot' },
    { name: 'Markuskirche', at: 'in der Markuskirche' },
    { name: 'Gasthaus zum Löwen', at: 'im Gasthaus zum Löwen' },
    { name: 'Rosentheater', at: 'im Rosentheater' },
    { name: 'Bürgerhaus Süd', at: 'im Bürgerhaus Süd' },
    { name: 'Lindenhof', at: 'im Lindenhof' },
  ],
  streets: [
    'Mühlgasse',
    'Lindenstraße',
    'Bahnhofstraße',
    'Am Kanal',
    'Gartenweg',
    'Kirchplatz',
    'Schulstraße',
    'Hafenstraße',
  ],
  address: (street, number, { city, postcode, region }) =>
    `${street} ${number}, ${region === 'DE' ? `0${postcode}`.slice(-5) : String(postcode).slice(0, 4)} ${city}`,
}
